import { useMutation, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { api, ok } from '../api/client.ts';
import { queryClient } from '../api/query-client.ts';
import { queryKeys } from '../api/query-keys.ts';
import type { Notifications } from '../api/schema.d.ts';
import { t } from '../i18n/translate.ts';
import { session } from '../session.ts';
import { announce } from '../ui/announcements.tsx';
import { Fields } from '../ui/form.tsx';
import { Section } from '../ui/page.tsx';
import { QueryState } from '../ui/query-state.tsx';
import { Switch } from '../ui/switch.tsx';
import { PushBrowsers } from './push-messages.tsx';
import styles from './settings.module.css';
import { SettingsPage } from './settings-page.tsx';

const kinds = () =>
  [
    ['missed_call', t('Missed calls')],
    ['voicemail', t('Voicemails')],
    ['text', t('Texts')],
    ['assigned', t('Threads that are assigned to you, and comments that mention you')],
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
