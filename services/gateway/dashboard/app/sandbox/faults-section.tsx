import { useMutation, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { queryClient } from '../api/query-client.ts';
import { announce } from '../ui/announcements.tsx';
import { DraftSection } from '../ui/draft-section.tsx';
import { SelectField, TextField } from '../ui/field.tsx';
import { Failure, QueryState } from '../ui/query-state.tsx';
import { useDraft } from '../ui/use-draft.ts';
import { type Faults, sandbox } from './sandbox-client.ts';

const queryKey = ['sandbox', 'faults'];

const CHOICES: readonly (readonly [Exclude<keyof Faults, 'code'>, string, readonly (readonly [string, string])[]])[] = [
  [
    'sms_submit',
    'Text provider',
    [
      ['ok', 'Works'],
      ['reject', 'Rejects texts'],
      ['timeout', 'Never answers'],
      ['lost', 'Takes the text, then loses the connection'],
      ['error', 'Answers with an error'],
    ],
  ],
  [
    'switch',
    'Telephone switch',
    [
      ['up', 'Works'],
      ['down', 'Cannot be reached'],
      ['killed', 'Has crashed with all calls'],
    ],
  ],
  [
    'speech',
    'Speech',
    [
      ['ok', 'Works'],
      ['fail', 'Fails'],
      ['slow', 'Is slow'],
    ],
  ],
  [
    'integrations',
    'Integrations',
    [
      ['ok', 'Work'],
      ['fail', 'Fail'],
      ['slow', 'Are slow'],
    ],
  ],
];

export function FaultsSection(): ReactNode {
  const faults = useQuery({ queryKey, queryFn: ({ signal }) => sandbox.faults(signal) });
  return (
    <QueryState query={faults} what="faults">
      {(data) => <FaultsForm faults={data} />}
    </QueryState>
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
      announce('Everything works again.');
    },
  });
  return (
    <DraftSection
      title="Faults"
      draft={draft}
      save={({ code, ...others }) => sandbox.setFaults({ ...others, ...(code && { code }) })}
      onSaved={(saved) => queryClient.setQueryData(queryKey, saved)}
    >
      {(errorsOf) => (
        <>
          <p className="hint">What should break, to see how Parley deals with it.</p>
          {clear.error && <Failure error={clear.error} />}
          {CHOICES.map(([field, label, options]) => (
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
              label="Error code of the provider"
              value={value.code ?? ''}
              errors={errorsOf('code')}
              onChange={(event) => set({ ...value, code: event.target.value })}
            />
          )}
          <p>
            <button
              type="button"
              className="quiet"
              aria-disabled={clear.isPending}
              onClick={() => clear.isPending || clear.mutate()}
            >
              Clear all faults
            </button>
          </p>
        </>
      )}
    </DraftSection>
  );
}
