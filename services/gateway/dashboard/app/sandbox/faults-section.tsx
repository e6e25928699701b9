import { useMutation, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { queryClient } from '../api/query-client.ts';
import { t } from '../i18n/translate.ts';
import { announce } from '../ui/announcements.tsx';
import { Button } from '../ui/button.tsx';
import { DraftSection } from '../ui/draft-section.tsx';
import { SelectField, TextField } from '../ui/field.tsx';
import { Fields } from '../ui/form.tsx';
import { Failure, QueryState } from '../ui/query-state.tsx';
import { useDraft } from '../ui/use-draft.ts';
import styles from './sandbox.module.css';
import { type Faults, sandbox } from './sandbox-client.ts';

const queryKey = ['sandbox', 'faults'];

const choices = (): readonly (readonly [
  Exclude<keyof Faults, 'code'>,
  string,
  readonly (readonly [string, string])[],
])[] => [
  [
    'sms_submit',
    t('Text provider'),
    [
      ['ok', t('Works')],
      ['reject', t('Rejects texts')],
      ['timeout', t('Never answers')],
      ['lost', t('Takes the text, then loses the connection')],
      ['error', t('Answers with an error')],
    ],
  ],
  [
    'switch',
    t('Telephone switch'),
    [
      ['up', t('Works')],
      ['down', t('Cannot be reached')],
      ['killed', t('Has crashed with all calls')],
    ],
  ],
  [
    'speech',
    t('Speech'),
    [
      ['ok', t('Works')],
      ['fail', t('Fails')],
      ['slow', t('Is slow')],
    ],
  ],
  [
    'integrations',
    t('Integrations'),
    [
      ['ok', t('Work')],
      ['fail', t('Fail')],
      ['slow', t('Are slow')],
    ],
  ],
];

export function FaultsSection(): ReactNode {
  const faults = useQuery({ queryKey, queryFn: ({ signal }) => sandbox.faults(signal) });
  return (
    <div className={styles['faults']} id="faults">
      <QueryState query={faults}>{(data) => <FaultsForm faults={data} />}</QueryState>
    </div>
  );
}

function FaultsForm({ faults }: { faults: Faults }): ReactNode {
  const draft = useDraft('sandbox faults', faults);
  const { value, set } = draft;
  const clear = useMutation({
    mutationFn: async () => {
      await sandbox.clearFaults();
      return sandbox.faults();
    },
    onSuccess: (current) => {
      queryClient.setQueryData(queryKey, current);
      draft.discard();
      announce(t('Everything works again.'));
    },
  });
  return (
    <DraftSection
      title={t('Faults')}
      draft={draft}
      save={({ code, ...others }) => sandbox.setFaults({ ...others, ...(code && { code }) })}
      onSaved={(saved) => queryClient.setQueryData(queryKey, saved)}
    >
      {(errorsOf) => (
        <Fields>
          <p className={styles['quiet']}>{t('What should break, to see how Parley deals with it.')}</p>
          {clear.error && <Failure error={clear.error} />}
          {choices().map(([field, label, options]) => (
            <SelectField
              key={field}
              label={label}
              value={value[field]}
              errors={errorsOf(field)}
              onChange={(event) => set({ ...value, [field]: event.target.value })}
            >
              {options.map(([option, text]) => (
                <option key={option} value={option}>
                  {text}
                </option>
              ))}
            </SelectField>
          ))}
          {value.sms_submit === 'reject' && (
            <TextField
              label={t('Error code of the provider')}
              value={value.code ?? ''}
              errors={errorsOf('code')}
              onChange={(event) => set({ ...value, code: event.target.value })}
            />
          )}
          <div>
            <Button variant="ghost" size="s" busy={clear.isPending} onPress={() => clear.mutate()}>
              {t('Clear all faults')}
            </Button>
          </div>
        </Fields>
      )}
    </DraftSection>
  );
}
