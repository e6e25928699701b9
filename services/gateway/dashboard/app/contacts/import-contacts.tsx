import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { sentence } from '../api/api-error.ts';
import { api, at, ok } from '../api/client.ts';
import { queryClient } from '../api/query-client.ts';
import { queryKeys } from '../api/query-keys.ts';
import type { ContactImport } from '../api/schema.d.ts';
import { number } from '../i18n/format.ts';
import { t, tn } from '../i18n/translate.ts';
import { TextField } from '../ui/field.tsx';
import { Fields, Form } from '../ui/form.tsx';
import { Page, Section } from '../ui/page.tsx';
import { QueryState } from '../ui/query-state.tsx';
import { useFilters } from '../ui/use-filters.ts';
import { useSubmit } from '../ui/use-submit.ts';
import { contactsChanged } from './contact-queries.ts';
import styles from './import-contacts.module.css';

const REFRESH_MS = 1000;

/** Contacts from a CSV file. The import that was started last is in the address, so that a reload shows it again. */
export default function ImportContacts(): ReactNode {
  const filters = useFilters();
  const id = filters.get('import');
  const sending = useSubmit(
    (file: File) =>
      ok(
        api.POST('/api/v1/contacts/imports', {
          body: file,
          bodySerializer: (body) => body as File,
          headers: { 'Content-Type': 'text/csv' },
        }),
      ),
    (started) => {
      queryClient.setQueryData(queryKeys.contactImport(started.id), started);
      filters.set({ import: started.id });
    },
  );
  function send(typed: FormData): void {
    const file = typed.get('file');
    if (file instanceof File) sending.submit(file);
  }
  return (
    <Page title={t('Import contacts')} back={{ href: '~/dashboard/contacts', label: t('Contacts') }} width="text">
      <Section
        title={t('Format')}
        description={t(
          'The first line of the file names the columns: phone, name, email, company_name, note; others are ignored. A contact with the same phone number is updated; an empty cell clears the field.',
        )}
      >
        <Form sending={sending} onSubmit={send} submitLabel={t('Import')}>
          <Fields>
            <TextField
              label={t('CSV file')}
              name="file"
              type="file"
              accept=".csv,text/csv"
              hint={t('Up to 50,000 lines and 16 MB, in UTF-8.')}
            />
          </Fields>
        </Form>
      </Section>
      {id !== '' && <Progress key={id} id={id} />}
    </Page>
  );
}

function Progress({ id }: { id: string }): ReactNode {
  const found = useQuery({
    queryKey: queryKeys.contactImport(id),
    queryFn: async ({ signal }) => {
      const read = await ok(api.GET('/api/v1/contacts/imports/{id}', { ...at(id), signal }));
      if (read.state === 'done') contactsChanged();
      return read;
    },
    refetchInterval: ({ state }) => (state.data?.state === 'done' ? false : REFRESH_MS),
  });
  return (
    <Section title={t('Progress')}>
      <QueryState query={found}>{(read) => <Result found={read} />}</QueryState>
    </Section>
  );
}

function Result({ found: { state, lines, created, updated, refused } }: { found: ContactImport }): ReactNode {
  const done = created + updated + refused.length;
  return (
    <>
      <p role="status">
        {state === 'done'
          ? t('The import is done.')
          : t('{done} of {count} lines …', { done: number(done), count: number(lines) })}
      </p>
      <ul className={styles['counts']} aria-label={t('Progress')}>
        <li>{tn(created, '{count} contact created', '{count} contacts created')}</li>
        <li>{tn(updated, '{count} contact updated', '{count} contacts updated')}</li>
        <li>{tn(refused.length, '{count} line refused', '{count} lines refused')}</li>
      </ul>
      {refused.length > 0 && (
        <ol className={styles['refused']} aria-label={t('Refused lines')}>
          {refused.map(({ line, error }) => (
            <li key={line}>
              <span className={styles['line']}>{t('Line {line}', { line: number(line) })}</span>
              <bdi>{sentence(error)}</bdi>
            </li>
          ))}
        </ol>
      )}
    </>
  );
}
