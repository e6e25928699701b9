import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { ApiError } from '../../api/api-error.ts';
import { api, at, ok } from '../../api/client.ts';
import { ownPath } from '../../api/own-path.ts';
import { queryClient } from '../../api/query-client.ts';
import { queryKeys } from '../../api/query-keys.ts';
import type { Erasure, Retention } from '../../api/schema.d.ts';
import { calendarDate, dateAndTime } from '../../i18n/format.ts';
import { t, tn } from '../../i18n/translate.ts';
import { announce } from '../../ui/announcements.tsx';
import { Badge } from '../../ui/badge.tsx';
import { DownloadLink } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { Fields, Form, textIn } from '../../ui/form.tsx';
import { Section } from '../../ui/page.tsx';
import { PhoneNumber } from '../../ui/phone-number.tsx';
import { QueryState } from '../../ui/query-state.tsx';
import text from '../../ui/text.module.css';
import { type Filters, useFilters } from '../../ui/use-filters.ts';
import { useSubmit } from '../../ui/use-submit.ts';
import { SettingsPage } from '../settings-page.tsx';
import styles from './privacy.module.css';

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
            <p className={text['meta']}>
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
    assistant: t('Conversations with assistants'),
    webhooks: t('Deliveries of webhooks'),
  };
  return names[service] ?? service;
}

const retentionKinds = () =>
  [
    ['recordings_days', t('Recordings')],
    ['voicemails_days', t('Voicemails')],
    ['transcripts_days', t('Transcripts and summaries')],
    ['messages_days', t('Texts')],
    ['calls_days', t('Calls')],
  ] as const satisfies readonly (readonly [keyof Retention, string])[];

function RetentionSection(): ReactNode {
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
    const days = retentionKinds().map(([name]) => [
      name,
      textIn(typed, name) === '' ? null : Number(textIn(typed, name)),
    ]);
    sending.submit(Object.fromEntries(days) as Retention);
  }
  return (
    <Form sending={sending} onSubmit={save} submitLabel={t('Save')} button={{ variant: 'secondary' }}>
      <Fields areShort>
        {retentionKinds().map(([name, label]) => (
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

/** An address is valid for an hour. */
const RENEW_MS = 30 * 60_000;

/** Everything that is stored of a person as one archive. The export that was requested last is in the address of the page. */
function ExportSection({ filters }: { filters: Filters }): ReactNode {
  const id = filters.get('export');
  const sending = useSubmit(
    (body: { phone_number: string }) => ok(api.POST('/api/v1/privacy/exports', { body })),
    (requested) => {
      queryClient.setQueryData(queryKeys.export(requested.id), requested);
      filters.set({ export: requested.id });
    },
  );
  return (
    <Section
      title={t('Export a person')}
      description={t(
        'One archive with the contact, calls, transcripts, texts, voicemails and everything else that is stored of a person outside the company, with the audio files.',
      )}
    >
      <Form
        sending={sending}
        onSubmit={(typed) => sending.submit({ phone_number: textIn(typed, 'phone_number') })}
        submitLabel={t('Export this person')}
        button={{ variant: 'secondary' }}
      >
        <Fields>
          <TextField
            label={t('Number of the person')}
            name="phone_number"
            type="tel"
            maxLength={40}
            errors={sending.errorsOf('phone_number')}
          />
        </Fields>
      </Form>
      {id !== '' && <Archive key={id} id={id} />}
    </Section>
  );
}

function Archive({ id }: { id: string }): ReactNode {
  const found = useQuery({
    queryKey: queryKeys.export(id),
    queryFn: ({ signal }) => ok(api.GET('/api/v1/privacy/exports/{id}', { ...at(id), signal })),
    refetchInterval: ({ state }) => (state.data?.state === 'done' ? RENEW_MS : REFRESH_MS),
  });
  if (found.error instanceof ApiError && found.error.isNotFound)
    return <p role="status">{t('The archive has been removed.')}</p>;
  return (
    <QueryState query={found}>
      {({ phone_number: number, url, expires_at: expiresAt }) => (
        <div className={styles['archive']}>
          <p role="status">
            {url === null ? t('The archive is being made …') : t('The archive is ready.')}{' '}
            <PhoneNumber value={number} />
          </p>
          {url !== null && (
            <>
              <DownloadLink href={ownPath(url)}>{t('Download the archive')}</DownloadLink>
              <p className={text['meta']}>
                {t('It can be downloaded until {time}.', { time: dateAndTime(new Date(expiresAt)) })}
              </p>
            </>
          )}
        </div>
      )}
    </QueryState>
  );
}
