import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ApiError } from '../api/api-error.ts';
import { api, ok } from '../api/client.ts';
import { queryClient } from '../api/query-client.ts';
import { queryKeys } from '../api/query-keys.ts';
import type { Call } from '../api/schema.d.ts';
import { t } from '../i18n/translate.ts';
import { session } from '../session.ts';
import { Button } from '../ui/button.tsx';
import { Headphones, X } from '../ui/icons/index.ts';
import styles from './conversation.module.css';
import { useTimeline } from './call-queries.ts';
import { isWithAssistant } from './call-text.ts';
import { takeoverIn } from './timeline-text.ts';

/** Lets an employee take a call over from the assistant, which goes on until one of the phones is answered. */
export function TakeOver({ call, size }: { call: Call; size?: 's' }): ReactNode {
  const { data: entries = [] } = useTimeline(call);
  const params = { path: { id: call.id } };
  const settle = { onSettled: () => queryClient.invalidateQueries({ queryKey: queryKeys.call(call.id) }) };
  const start = useMutation({
    mutationFn: () => ok(api.POST('/api/v1/calls/{id}/takeover', { params })),
    ...settle,
  });
  const withdraw = useMutation({
    mutationFn: () => ok(api.DELETE('/api/v1/calls/{id}/takeover', { params })),
    ...settle,
  });
  if (!isWithAssistant(call)) return null;
  const takenBy = takeoverIn(entries);
  const isOwn = takenBy === session.employeeId;
  const error = start.error ?? withdraw.error;
  return (
    <div className={styles['take-over']}>
      {isOwn ? (
        <Button
          size={size}
          icon={X}
          busy={withdraw.isPending}
          onPress={() => {
            start.reset();
            withdraw.mutate();
          }}
        >
          {t('Withdraw')}
        </Button>
      ) : (
        <Button
          size={size}
          variant="primary"
          icon={Headphones}
          busy={start.isPending}
          onPress={() => {
            withdraw.reset();
            start.mutate();
          }}
        >
          {t('Take over')}
        </Button>
      )}
      {error ? (
        <p role="alert" className={styles['failure']}>
          {failureText(error)}
        </p>
      ) : (
        <p role="status" className={styles['quiet']}>
          {stateText(takenBy, isOwn)}
        </p>
      )}
    </div>
  );
}

function stateText(takenBy: string | undefined, isOwn: boolean): string {
  if (isOwn) return t('Your phone is ringing: answer it. The assistant goes on until then.');
  if (takenBy !== undefined) return t('A coworker is about to take the call over.');
  return t('Your phone rings; the assistant goes on until you answer.');
}

function failureText(error: Error): string {
  const code = error instanceof ApiError ? error.code : '';
  if (code === 'employee_unavailable') return t('None of your phones can ring now. Turn on “Available for calls”.');
  if (code === 'takeover_in_progress') return t('A coworker is about to take the call over.');
  if (code === 'assistant_not_in_call') return t('The assistant is not in this call any more.');
  return error.message;
}
