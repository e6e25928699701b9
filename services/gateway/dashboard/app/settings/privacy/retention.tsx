import { useQuery } from '@tanstack/react-query';
import type { FormEvent, ReactNode } from 'react';
import { api, ok } from '../../api/client.ts';
import { queryClient } from '../../api/query-client.ts';
import { queryKeys } from '../../api/query-keys.ts';
import type { Retention } from '../../api/schema.d.ts';
import { t } from '../../i18n/translate.ts';
import { announce } from '../../ui/announcements.tsx';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { Fields, FormActions } from '../../ui/form.tsx';
import { FormFailure } from '../../ui/form-failure.tsx';
import { Section } from '../../ui/page.tsx';
import { QueryState } from '../../ui/query-state.tsx';
import { UnsavedNotice } from '../../ui/unsaved-notice.tsx';
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
      <QueryState query={retention} what="settings">
        {(data) => <RetentionForm retention={data} />}
      </QueryState>
    </Section>
  );
}

function RetentionForm({ retention }: { retention: Retention }): ReactNode {
  const { submit, pending, errorsOf, error, form, unsaved } = useSubmit(
    (body: Retention) => ok(api.PUT('/api/v1/privacy/retention', { body })),
    (saved) => {
      queryClient.setQueryData(queryKeys.retention, saved);
      announce(t('Saved.'));
    },
    { keepAs: 'retention' },
  );
  function save(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    if (pending) return;
    const typed = new FormData(event.currentTarget);
    const daysOf = (name: string) => {
      const text = String(typed.get(name) ?? '').trim();
      return text === '' ? null : Number(text);
    };
    submit(Object.fromEntries(kinds().map(([name]) => [name, daysOf(name)])) as Retention);
  }
  return (
    <form ref={form} onSubmit={save} noValidate>
      <FormFailure error={error} form={form} />
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
            errors={errorsOf(name)}
          />
        ))}
      </Fields>
      <FormActions>
        <Button type="submit" busy={pending}>
          {t('Save')}
        </Button>
        <UnsavedNotice unsaved={unsaved} />
      </FormActions>
    </form>
  );
}
