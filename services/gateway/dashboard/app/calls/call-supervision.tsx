import { useMutation, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ApiError } from '../api/api-error.ts';
import { api, ok } from '../api/client.ts';
import { queryClient } from '../api/query-client.ts';
import { queryKeys } from '../api/query-keys.ts';
import { companyQuery } from '../api/shared-queries.ts';
import type { Call, Supervision } from '../api/schema.d.ts';
import { t } from '../i18n/translate.ts';
import { isAdmin, session } from '../session.ts';
import { announce } from '../ui/announcements.tsx';
import { Button } from '../ui/button.tsx';
import text from '../ui/text.module.css';
import { Headphones, MessageCircle, Users, X } from '../ui/icons/index.ts';
import styles from './call-page.module.css';
import { useTimeline } from './call-queries.ts';
import { supervisionIn } from './timeline-text.ts';

const modes = () =>
  [
    ['listen', t('Listen in'), Headphones],
    ['whisper', t('Whisper'), MessageCircle],
    ['barge', t('Join'), Users],
  ] as const satisfies readonly (readonly [Supervision['mode'], ...unknown[]])[];

/** Lets an admin join a conversation of others, where the company allows it. */
export function CallSupervision({ call }: { call: Call }): ReactNode {
  const { data: company } = useQuery(companyQuery);
  const isOwn = call.employees.some(({ id }) => id === session.employeeId);
  if (!isAdmin || isOwn || call.state !== 'bridged' || !company?.supervision_enabled) return null;
  return <Controls call={call} />;
}

function Controls({ call }: { call: Call }): ReactNode {
  const { data: entries = [] } = useTimeline(call);
  const params = { path: { id: call.id } };
  const settle = {
    onError: (error: Error) => announce(failureText(error)),
    onSettled: () => queryClient.invalidateQueries({ queryKey: queryKeys.call(call.id) }),
  };
  const start = useMutation({
    mutationFn: (mode: Supervision['mode']) =>
      ok(api.POST('/api/v1/calls/{id}/supervision', { params, body: { mode } })),
    ...settle,
  });
  const stop = useMutation({
    mutationFn: () => ok(api.DELETE('/api/v1/calls/{id}/supervision', { params })),
    ...settle,
  });
  const current = supervisionIn(entries);
  const own = current?.employeeId === session.employeeId ? current : undefined;
  return (
    <section className={styles['supervision']} aria-label={t('Supervision')}>
      <div className={styles['actions']}>
        {modes().map(([mode, name, icon]) => (
          <Button
            key={mode}
            icon={icon}
            aria-pressed={own?.mode === mode}
            busy={start.isPending && start.variables === mode}
            onPress={() => start.mutate(mode)}
          >
            {name}
          </Button>
        ))}
        {own && (
          <Button variant="danger" icon={X} busy={stop.isPending} onPress={() => stop.mutate()}>
            {t('Stop')}
          </Button>
        )}
      </div>
      <p className={text['meta']} role="status">
        {own === undefined ? t('Your phone rings; nobody hears you while you listen.') : modeText(own)}
      </p>
    </section>
  );
}

function modeText({ mode, isRinging }: { mode: string; isRinging: boolean }): string {
  if (isRinging) return t('Your phone is ringing: answer it.');
  if (mode === 'whisper') return t('Only the employee hears you.');
  return mode === 'barge' ? t('Both sides hear you.') : t('Nobody hears you.');
}

function failureText(error: Error): string {
  const code = error instanceof ApiError ? error.code : '';
  if (code === 'employee_unavailable') return t('None of your phones can ring now. Turn on “Available for calls”.');
  if (code === 'supervision_in_progress') return t('Somebody else supervises this call.');
  return error.message;
}
