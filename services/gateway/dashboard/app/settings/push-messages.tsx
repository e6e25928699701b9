import { useMutation, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { api, at, ok } from '../api/client.ts';
import { queryClient } from '../api/query-client.ts';
import { queryKeys } from '../api/query-keys.ts';
import type { PushSubscription } from '../api/schema.d.ts';
import { t } from '../i18n/translate.ts';
import { announce } from '../ui/announcements.tsx';
import { BellRing } from '../ui/icons/index.ts';
import { QueryState } from '../ui/query-state.tsx';
import { Switch } from '../ui/switch.tsx';
import { Time } from '../ui/time.tsx';
import { AccountItem, AccountList } from './account/account-list.tsx';
import { addThisBrowser, canShowPushMessages, forgetThisBrowser } from './push-browser.ts';

const changed = () => queryClient.invalidateQueries({ queryKey: queryKeys.pushSubscriptions });

async function remove({ id, current }: PushSubscription): Promise<void> {
  await ok(api.DELETE('/api/v1/push_subscriptions/{id}', at(id)));
  if (current && canShowPushMessages) await forgetThisBrowser();
}

/** The browsers that show push messages, and whether this one does. */
export function PushBrowsers(): ReactNode {
  const browsers = useQuery({
    queryKey: queryKeys.pushSubscriptions,
    queryFn: ({ signal }) => ok(api.GET('/api/v1/push_subscriptions', { signal })),
  });
  return (
    <QueryState query={browsers}>
      {({ push_subscriptions: added, public_key: publicKey }) => (
        <>
          <ThisBrowser known={added.find(({ current }) => current)} publicKey={publicKey} />
          {added.length > 0 && (
            <AccountList>
              {added.map((one) => (
                <BrowserItem key={one.id} browser={one} />
              ))}
            </AccountList>
          )}
        </>
      )}
    </QueryState>
  );
}

function ThisBrowser({ known, publicKey }: { known: PushSubscription | undefined; publicKey: string }): ReactNode {
  const turn = useMutation({
    mutationFn: async (isOn: boolean) => {
      if (!isOn && known) await remove(known);
      if (isOn && !(await addThisBrowser(publicKey))) announce(t('Notifications were not allowed.'));
    },
    onError: () => announce(t('This browser could not be changed. Try it again later.')),
    onSettled: changed,
  });
  if (!canShowPushMessages)
    return (
      <p role="status">
        {t('This browser cannot show push messages. On an iPhone or iPad, add Parley to the home screen first.')}
      </p>
    );
  if (Notification.permission === 'denied')
    return <p role="status">{t('Notifications are blocked. Allow them for this site in your browser.')}</p>;
  return (
    <Switch
      label={t('Show push messages in this browser')}
      checked={turn.isPending ? turn.variables : known !== undefined}
      disabled={turn.isPending}
      onChange={turn.mutate}
    />
  );
}

function BrowserItem({ browser }: { browser: PushSubscription }): ReactNode {
  return (
    <AccountItem
      icon={BellRing}
      name={
        <>
          {browser.name}
          {browser.current && ` (${t('this one')})`}
        </>
      }
      details={
        <>
          {t('since')} <Time at={browser.created_at} withTime />
        </>
      }
      revoke={async () => {
        try {
          await remove(browser);
        } finally {
          await changed();
        }
      }}
    />
  );
}
