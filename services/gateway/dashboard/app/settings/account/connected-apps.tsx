import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { ConnectedApp } from '../../api/account-schema.d.ts';
import { account, ok } from '../../api/client.ts';
import { t } from '../../i18n/translate.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { AppWindow } from '../../ui/icons/index.ts';
import { Section } from '../../ui/page.tsx';
import { QueryState } from '../../ui/query-state.tsx';
import { Time } from '../../ui/time.tsx';
import { SettingsPage } from '../settings-page.tsx';
import { AccountItem, LastUsed } from './account-list.tsx';
import { accountChanged, connectedAppsQuery } from './account-queries.ts';

export function ConnectedApps(): ReactNode {
  const apps = useQuery(connectedAppsQuery);
  return (
    <SettingsPage title={t('Connected apps')} path="/connected-apps">
      <QueryState
        query={apps}
        empty={
          <EmptyState icon={AppWindow} title={t('No app can act for you.')}>
            {t('An app that asks to connect is listed here once you have allowed it.')}
          </EmptyState>
        }
      >
        {(list) => (
          <Section title={t('These apps can act for you')}>
            <ul>
              {list.map((app) => (
                <App key={app.client_id} app={app} />
              ))}
            </ul>
          </Section>
        )}
      </QueryState>
    </SettingsPage>
  );
}

function App({ app }: { app: ConnectedApp }): ReactNode {
  const { client_id: clientId, name, scope, allowed_at: allowed, last_refreshed_at: renewed, last_used_at: used } = app;
  return (
    <AccountItem
      icon={AppWindow}
      name={
        <>
          <bdi>{name}</bdi> ({scope})
        </>
      }
      details={
        <>
          {t('Allowed')} {allowed && <Time at={allowed} withTime />} ·{' '}
          {renewed && (
            <>
              {t('renewed')} <Time at={renewed} withTime /> ·{' '}
            </>
          )}
          <LastUsed at={used} />
        </>
      }
      revoke={async () => {
        await ok(account.DELETE('/account/connected_apps/{client_id}', { params: { path: { client_id: clientId } } }));
        await accountChanged();
      }}
    />
  );
}
