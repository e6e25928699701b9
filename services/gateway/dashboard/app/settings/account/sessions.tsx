import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { BrowserSession } from '../../api/account-schema.d.ts';
import { account, at, ok } from '../../api/client.ts';
import { t } from '../../i18n/translate.ts';
import { MonitorSmartphone } from '../../ui/icons/index.ts';
import { Section } from '../../ui/page.tsx';
import { QueryState } from '../../ui/query-state.tsx';
import { Time } from '../../ui/time.tsx';
import { SettingsPage } from '../settings-page.tsx';
import { AccountItem } from './account-list.tsx';
import { accountChanged, sessionsQuery } from './account-queries.ts';

export function Sessions(): ReactNode {
  const sessions = useQuery(sessionsQuery);
  return (
    <SettingsPage title={t('Sessions')} path="/sessions">
      <Section title={t('Browsers that are signed in as you')}>
        <QueryState query={sessions}>
          {(list) => (
            <ul>
              {list.map((one) => (
                <SessionItem key={one.id} session={one} />
              ))}
            </ul>
          )}
        </QueryState>
      </Section>
    </SettingsPage>
  );
}

function SessionItem({ session }: { session: BrowserSession }): ReactNode {
  const { id, browser, address, signed_in_at: since, is_current: isCurrent } = session;
  return (
    <AccountItem
      icon={MonitorSmartphone}
      name={
        <>
          {browser}
          {isCurrent && ` (${t('this one')})`}
        </>
      }
      details={
        <>
          {address}
          {since && (
            <>
              {' '}
              · {t('since')} <Time at={since} withTime />
            </>
          )}
        </>
      }
      revoke={async () => {
        await ok(account.DELETE('/account/sessions/{id}', at(id)));
        // With its own session gone the next request leads to the sign-in.
        await accountChanged();
      }}
    />
  );
}
