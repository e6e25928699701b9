import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { ownPath } from '../api/own-path.ts';
import { t } from '../i18n/translate.ts';
import { useEmployees } from '../live/use-employees.ts';
import { session } from '../session.ts';
import { TextField } from '../ui/field.tsx';
import { QueryState } from '../ui/query-state.tsx';
import { useDebounced } from '../ui/use-debounced.ts';
import { sandbox } from './sandbox-client.ts';
import styles from './sandbox.module.css';

const REFRESH_MS = 3000;
const SHOWN_MAX = 10;

/** The mail that Parley sends: invitations, links for passwords, notifications. Nothing leaves this machine. */
export function MailboxSection(): ReactNode {
  const { data: employees = [] } = useEmployees();
  const own = employees.find(({ id }) => id === session.employeeId)?.email ?? '';
  const [typed, setTyped] = useState<string>();
  const address = useDebounced((typed ?? own).trim());
  const mails = useQuery({
    queryKey: ['sandbox', 'mails', address],
    queryFn: ({ signal }) => sandbox.mailsTo(address, signal),
    enabled: address !== '',
    refetchInterval: REFRESH_MS,
  });
  return (
    <section className={styles['part']} aria-label={t('Mailbox')}>
      <h2>{t('Mailbox')}</h2>
      <TextField
        label={t('Mail to')}
        type="email"
        hint={t('Invitations and links for passwords arrive here.')}
        value={typed ?? own}
        onChange={(event) => setTyped(event.target.value)}
      />
      {address !== '' && (
        <QueryState query={mails} empty={<p className={styles['quiet']}>{t('No mail yet.')}</p>}>
          {(list) => (
            <ul className={styles['mails']} aria-label={t('Mails')}>
              {list.slice(0, SHOWN_MAX).map(({ subject, links }, index) => (
                <li key={index}>
                  <bdi>{subject}</bdi>
                  {links.map((link) => (
                    <a key={link} href={ownPath(link)}>
                      {t('Open the link')}
                    </a>
                  ))}
                </li>
              ))}
            </ul>
          )}
        </QueryState>
      )}
    </section>
  );
}
