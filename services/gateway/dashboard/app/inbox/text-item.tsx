import { type ReactNode, useRef } from 'react';
import { useMutation } from '@tanstack/react-query';
import { ApiError } from '../api/api-error.ts';
import { api, ok } from '../api/client.ts';
import type { MessageItem } from '../api/schema.d.ts';
import { Failure } from '../ui/query-state.tsx';
import { refreshActivity } from './activity-queries.ts';
import { sendProblem } from './activity-texts.ts';

export function TextItem({ message, phoneNumber }: { message: MessageItem; phoneNumber: string }): ReactNode {
  return (
    <>
      <p className="item-text">{message.text}</p>
      {message.can_retry && <Retry id={message.id} phoneNumber={phoneNumber} />}
    </>
  );
}

function Retry({ id, phoneNumber }: { id: string; phoneNumber: string }): ReactNode {
  /** Of the retry whose result is not known: pressing again does not send twice. */
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
      <button type="button" className="quiet" disabled={retry.isPending} onClick={() => retry.mutate()}>
        {retry.isPending ? 'Retrying…' : 'Retry'}
      </button>
      {retry.error && <Failure error={problem ? new Error(problem) : retry.error} />}
    </>
  );
}
