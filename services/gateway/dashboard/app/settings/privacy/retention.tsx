import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { api, ok } from '../../api/client.ts';
import { queryClient } from '../../api/query-client.ts';
import { queryKeys } from '../../api/query-keys.ts';
import type { Retention } from '../../api/schema.d.ts';
import { t } from '../../i18n/translate.ts';
import { announce } from '../../ui/announcements.tsx';
import { TextField } from '../../ui/field.tsx';
import { Fields, Form, textIn } from '../../ui/form.tsx';
import { Section } from '../../ui/page.tsx';
import { QueryState } from '../../ui/query-state.tsx';
import { useSubmit } from '../../ui/use-submit.ts';

const kinds = () =>
  [
    ['recordings_days', t('Recordings')],
    ['voicemails_days', t('Voicemails')],
    ['transcripts_days', t('Transcripts and summaries')],
    ['messages_days', t('Texts')],
    ['calls_days', t('Calls')],
  ] as const satisfies readonly (readonly [keyof Retention, string])[];

export function RetentionSection(): ReactNode {
  const retention = useQuery({
    queryKey: queryKeys.retention,
    queryFn: ({ signal }) => ok(api.GET('/api/v1/privacy/retention', { signal })),
  });
  return (
    <Section
      title={t('How long data is kept')}
      description={t('In days, 1 to 3,650; empty keeps it forever. What is older is removed within a day, for good.')}
    >
      <QueryState query={retention}>{(data) => <RetentionForm retention={data} />}</QueryState>
    </Section>
  );
}

function RetentionForm({ retention }: { retention: Retention }): ReactNode {
  const sending = useSubmit(
    (body: Retention) => ok(api.PUT('/api/v1/privacy/retention', { body })),
    (saved) => {
      queryClient.setQueryData(queryKeys.retention, saved);
      announce(t('Saved.'));
    },
    { storeEditsAs: 'retention' },
  );
  function save(typed: FormData): void {
    const days = kinds().map(([name]) => [name, textIn(typed, name) === '' ? null : Number(textIn(typed, name))]);
    sending.submit(Object.fromEntries(days) as Retention);
  }
  return (
    <Form sending={sending} onSubmit={save} submitLabel={t('Save')} button={{ variant: 'secondary' }}>
      <Fields areShort>
        {kinds().map(([name, label]) => (
          <TextField
            key={name}
            name={name}
            label={label}
            type="number"
            inputMode="numeric"
            min={1}
            max={3650}
            placeholder={t('Forever')}
            defaultValue={retention[name] ?? ''}
            errors={sending.errorsOf(name)}
          />
        ))}
      </Fields>
    </Form>
  );
}
