import { type ReactNode, useRef } from 'react';
import { useMutation } from '@tanstack/react-query';
import { ApiError } from '../api/api-error.ts';
import { api, ok } from '../api/client.ts';
import type { MessageItem } from '../api/schema.d.ts';
import { t } from '../i18n/translate.ts';
import { classes } from '../ui/classes.ts';
import { SMALL } from '../ui/icon.ts';
import { CircleAlert, Clock3 } from '../ui/icons/index.ts';
import { Failure } from '../ui/query-state.tsx';
import { Time } from '../ui/time.tsx';
import { refreshActivity } from './activity-queries.ts';
import { sendProblem, statusWords } from './activity-texts.ts';
import styles from './text-item.module.css';

export function TextItem(props: { message: MessageItem; phoneNumber: string; isLinked: boolean }): ReactNode {
  const { message, phoneNumber, isLinked } = props;
  const { direction, status } = message;
  const isOut = direction === 'outbound';
  const isFailed = status === 'failed';
  return (
    <li
      id={isLinked ? message.id : undefined}
      className={classes(
        styles['text'],
        isOut && styles['out'],
        isFailed && styles['failed'],
        status === 'queued' && styles['queued'],
        isLinked && styles['linked'],
      )}
    >
      <p className={styles['bubble']} dir="auto">
        {message.text}
      </p>
      <p className={styles['meta']}>
        {isFailed && <CircleAlert {...SMALL} />}
        {status === 'queued' && <Clock3 {...SMALL} />}
        {isOut && (
          <>
            <bdi>{message.author.name?.trim() || t('Sent')}</bdi> ·{' '}
          </>
        )}
        <Time at={message.created_at} onlyTime /> ·{' '}
        {isOut ? statusWords(message) : <bdi>{message.business_number_name ?? message.to}</bdi>}
        {message.can_retry && <Retry id={message.id} phoneNumber={phoneNumber} />}
      </p>
    </li>
  );
}

function Retry({ id, phoneNumber }: { id: string; phoneNumber: string }): ReactNode {
  /** The idempotency key of a retry with an unknown result: pressing again does not send twice. */
  const key = useRef<string>(undefined);
  const retry = useMutation({
    mutationFn: () => {
      key.current ??= crypto.randomUUID();
      const body = { idempotency_key: key.current };
      return ok(api.POST('/api/v1/messages/{message_id}/retries', { params: { path: { message_id: id } }, body }));
    },
    onSuccess: () => {
      key.current = undefined;
    },
    onError: (error) => {
      const isKnown = error instanceof ApiError && (!error.isTemporary || 'message_id' in error.body);
      if (isKnown) key.current = undefined;
    },
    onSettled: () => refreshActivity(phoneNumber),
  });
  const problem = retry.error instanceof ApiError ? sendProblem(retry.error.code) : undefined;
  return (
    <>
      <button type="button" className={styles['retry']} disabled={retry.isPending} onClick={() => retry.mutate()}>
        {retry.isPending ? t('Retrying…') : t('Retry')}
      </button>
      {retry.error && <Failure error={problem ? new Error(problem) : retry.error} />}
    </>
  );
}
