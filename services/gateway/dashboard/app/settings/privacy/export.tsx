import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ApiError } from '../../api/api-error.ts';
import { api, at, ok } from '../../api/client.ts';
import { ownPath } from '../../api/own-path.ts';
import { queryClient } from '../../api/query-client.ts';
import { queryKeys } from '../../api/query-keys.ts';
import { dateAndTime } from '../../i18n/format.ts';
import { t } from '../../i18n/translate.ts';
import { DownloadLink } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { Fields, Form, textIn } from '../../ui/form.tsx';
import { Section } from '../../ui/page.tsx';
import { PhoneNumber } from '../../ui/phone-number.tsx';
import { QueryState } from '../../ui/query-state.tsx';
import type { Filters } from '../../ui/use-filters.ts';
import { useSubmit } from '../../ui/use-submit.ts';
import styles from './privacy.module.css';

const REFRESH_MS = 1000;
/** An address is valid for an hour. */
const RENEW_MS = 30 * 60_000;

/** Everything that is stored of a person as one archive. The export that was requested last is in the address of the page. */
export function ExportSection({ filters }: { filters: Filters }): ReactNode {
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
              <p className={styles['note']}>
                {t('It can be downloaded until {time}.', { time: dateAndTime(new Date(expiresAt)) })}
              </p>
            </>
          )}
        </div>
      )}
    </QueryState>
  );
}
