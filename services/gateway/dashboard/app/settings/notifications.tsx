import { useMutation, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { api, at, ok } from '../api/client.ts';
import { queryClient } from '../api/query-client.ts';
import { queryKeys } from '../api/query-keys.ts';
import type { Notifications, PushSubscription } from '../api/schema.d.ts';
import { t } from '../i18n/translate.ts';
import { session } from '../session.ts';
import { announce } from '../ui/announcements.tsx';
import { Fields } from '../ui/form.tsx';
import { BellRing } from '../ui/icons/index.ts';
import { Section } from '../ui/page.tsx';
import { QueryState } from '../ui/query-state.tsx';
import { Switch } from '../ui/switch.tsx';
import { Time } from '../ui/time.tsx';
import { AccountItem } from './account/account-list.tsx';
import { addThisBrowser, canShowPushMessages, forgetThisBrowser } from './push-browser.ts';
import { SettingsPage } from './settings-page.tsx';
import styles from './settings.module.css';

const kinds = () =>
  [
    ['missed_call', t('Missed calls')],
    ['voicemail', t('Voicemails')],
    ['text', t('Texts')],
    ['assigned', t('Threads that are assigned to you, and comments that mention you')],
    ['assistant', t('Messages that an assistant took, and callers who want to be called back')],
  ] as const satisfies readonly (readonly [keyof Notifications, string])[];

const params = { path: { id: session.employeeId } };

export function NotificationSettings(): ReactNode {
  const notifications = useQuery({
    queryKey: queryKeys.notifications,
    queryFn: ({ signal }) => ok(api.GET('/api/v1/employees/{id}/notifications', { params, signal })),
  });
  return (
    <SettingsPage title={t('Notifications')} path="/settings/notifications">
      <Section
        title={t('E-mails')}
        description={t(
          'Whoever a thread is assigned to gets them, or everybody who wants them if it is nobody’s. At most one about a thread in ten minutes, voicemails with their transcript.',
        )}
      >
        <QueryState query={notifications}>{(data) => <Kinds chosen={data} way="email" />}</QueryState>
      </Section>
      <Section
        title={t('Push messages')}
        description={t('At once, in the browsers in which you turn them on. They show who it is, not what was said.')}
      >
        <div className={styles['browsers']}>
          <PushBrowsers />
        </div>
        <QueryState query={notifications}>{(data) => <Kinds chosen={data} way="push" />}</QueryState>
      </Section>
    </SettingsPage>
  );
}

function Kinds({ chosen, way }: { chosen: Notifications; way: 'email' | 'push' }): ReactNode {
  const save = useMutation({
    mutationFn: (body: Notifications) => ok(api.PUT('/api/v1/employees/{id}/notifications', { params, body })),
    // One after the other, each with what was chosen before: all are replaced together.
    scope: { id: 'notifications' },
    onMutate: (body) => queryClient.setQueryData(queryKeys.notifications, body),
    onError: (error) => {
      announce(error.message);
      return queryClient.invalidateQueries({ queryKey: queryKeys.notifications });
    },
  });
  return (
    <Fields>
      {kinds().map(([kind, label]) => (
        <Switch
          key={kind}
          label={label}
          checked={chosen[kind][way]}
          onChange={(isOn) => save.mutate({ ...chosen, [kind]: { ...chosen[kind], [way]: isOn } })}
        />
      ))}
    </Fields>
  );
}

const subscriptionsChanged = () => queryClient.invalidateQueries({ queryKey: queryKeys.pushSubscriptions });

async function removeBrowser({ id, current }: PushSubscription): Promise<void> {
  await ok(api.DELETE('/api/v1/push_subscriptions/{id}', at(id)));
  if (current && canShowPushMessages) await forgetThisBrowser();
}

/** The browsers that show push messages, and whether this one does. */
function PushBrowsers(): ReactNode {
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
            <ul>
              {added.map((one) => (
                <BrowserItem key={one.id} browser={one} />
              ))}
            </ul>
          )}
        </>
      )}
    </QueryState>
  );
}

function ThisBrowser({ known, publicKey }: { known: PushSubscription | undefined; publicKey: string }): ReactNode {
  const turn = useMutation({
    mutationFn: async (isOn: boolean) => {
      if (!isOn && known) await removeBrowser(known);
      if (isOn && !(await addThisBrowser(publicKey))) announce(t('Notifications were not allowed.'));
    },
    onError: () => announce(t('This browser could not be changed. Try it again later.')),
    onSettled: subscriptionsChanged,
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
          await removeBrowser(browser);
        } finally {
          await subscriptionsChanged();
        }
      }}
    />
  );
}
