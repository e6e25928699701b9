import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { api, at, ok } from '../../api/client.ts';
import { queryClient } from '../../api/query-client.ts';
import { queryKeys } from '../../api/query-keys.ts';
import type { Erasure } from '../../api/schema.d.ts';
import { calendarDate } from '../../i18n/format.ts';
import { t, tn } from '../../i18n/translate.ts';
import { Badge } from '../../ui/badge.tsx';
import { TextField } from '../../ui/field.tsx';
import { Fields, Form } from '../../ui/form.tsx';
import { Section } from '../../ui/page.tsx';
import { QueryState } from '../../ui/query-state.tsx';
import { useFilters } from '../../ui/use-filters.ts';
import { useSubmit } from '../../ui/use-submit.ts';
import { SettingsPage } from '../settings-page.tsx';
import { ExportSection } from './export.tsx';
import styles from './privacy.module.css';
import { RetentionSection } from './retention.tsx';

const REFRESH_MS = 1000;

/**
 * Retention, and exporting or removing the data of a person. The erasure that was started last is in the address, so that a reload
 * shows it again.
 */
export function Privacy(): ReactNode {
  const filters = useFilters();
  const id = filters.get('erasure');
  return (
    <SettingsPage title={t('Privacy')} path="/settings/privacy">
      <RetentionSection />
      <ExportSection filters={filters} />
      <Section
        title={t('Erase a person')}
        description={t(
          'Removes the contact, texts, recordings, transcripts, voicemails and everything else that is stored of a person outside the company. Calls stay for statistics, without the number. This cannot be undone.',
        )}
      >
        <ErasureForm
          onStarted={(erasure) => {
            queryClient.setQueryData(queryKeys.erasure(erasure.id), erasure);
            filters.set({ erasure: erasure.id });
          }}
        />
      </Section>
      {id !== '' && <Progress key={id} id={id} />}
    </SettingsPage>
  );
}

function ErasureForm({ onStarted }: { onStarted: (erasure: Erasure) => void }): ReactNode {
  const [phone, setPhone] = useState('');
  const [repeated, setRepeated] = useState('');
  const isConfirmed = phone.trim() !== '' && phone.trim() === repeated.trim();
  const sending = useSubmit(
    (body: { phone_number: string }) => ok(api.POST('/api/v1/privacy/erasures', { body })),
    (erasure) => {
      setPhone('');
      setRepeated('');
      onStarted(erasure);
    },
  );
  return (
    <Form
      sending={sending}
      onSubmit={() => isConfirmed && sending.submit({ phone_number: phone.trim() })}
      submitLabel={t('Erase this person')}
      button={{ variant: 'danger', isDisabled: !isConfirmed }}
    >
      <Fields>
        <TextField
          label={t('Phone number')}
          type="tel"
          maxLength={40}
          value={phone}
          onChange={(event) => setPhone(event.target.value)}
          errors={sending.errorsOf('phone_number')}
        />
        <TextField
          label={t('Type the number again to confirm')}
          type="tel"
          maxLength={40}
          value={repeated}
          onChange={(event) => setRepeated(event.target.value)}
        />
      </Fields>
    </Form>
  );
}

function Progress({ id }: { id: string }): ReactNode {
  const erasure = useQuery({
    queryKey: queryKeys.erasure(id),
    queryFn: ({ signal }) => ok(api.GET('/api/v1/privacy/erasures/{id}', { ...at(id), signal })),
    refetchInterval: ({ state }) => (state.data?.state === 'done' ? false : REFRESH_MS),
  });
  return (
    <Section title={t('Progress')}>
      <QueryState query={erasure}>
        {({ state, parts, log_expires_at: expiresAt }) => (
          <>
            <p role="status">{state === 'done' ? t('The person is erased.') : t('The person is being erased …')}</p>
            <ul className={styles['parts']} aria-label={t('Progress')}>
              {parts.map((part) => (
                <li key={part.name} className={styles['part']}>
                  <span>{partName(part.name)}</span>
                  <span className={styles['removed']}>
                    {tn(part.removed, '{count} record removed', '{count} records removed')}
                  </span>
                  <Badge tone={part.state === 'done' ? 'good' : 'neutral'}>
                    {part.state === 'done' ? t('Done') : t('Waiting or running')}
                  </Badge>
                </li>
              ))}
            </ul>
            <p className={styles['note']}>
              {t('Copies in the log of events expire on {date}.', { date: calendarDate(expiresAt.slice(0, 10)) })}
            </p>
          </>
        )}
      </QueryState>
    </Section>
  );
}

/** A service without a name here is shown as the API names it. */
function partName(service: string): string {
  const names: Readonly<Record<string, string>> = {
    'call-control': t('Calls, recordings, transcripts and voicemails'),
    'messaging-inbox': t('Texts and the thread'),
    directory: t('Contact'),
    webhooks: t('Deliveries of webhooks'),
  };
  return names[service] ?? service;
}
