import { skipToken, useMutation, useQuery } from '@tanstack/react-query';
import { api, ok } from '../api/client.ts';
import { queryClient } from '../api/query-client.ts';
import { queryKeys } from '../api/query-keys.ts';
import { t } from '../i18n/translate.ts';
import { announce } from '../ui/announcements.tsx';
import { type ConversationState, conversationState } from './conversation-state.ts';
import { useCall } from './phone-queries.ts';

/** While the recording of a new conversation is on its way. */
const UNSETTLED_MS = 3000;

export interface Conversation extends ConversationState {
  readonly isHolding: boolean;
  readonly isPausing: boolean;
  hold(on: boolean): void;
  pause(paused: boolean): void;
}

/** Hold and recording of the call that the employee controls; `callId` is undefined while there is none. */
export function useConversation(callId: string | undefined): Conversation {
  const id = callId ?? '';
  const params = { path: { id } };
  const { data: call } = useCall(callId ?? null);
  const { data: entries } = useQuery({
    queryKey: [...queryKeys.call(id), 'timeline'],
    queryFn: callId ? ({ signal }) => ok(api.GET('/api/v1/calls/{id}/timeline', { params, signal })) : skipToken,
    select: (timeline) => timeline.entries,
    refetchInterval: ({ state }) =>
      state.data?.entries.some(({ type }) => type === 'recording') ? false : UNSETTLED_MS,
  });
  const onSettled = () => queryClient.invalidateQueries({ queryKey: queryKeys.call(id) });
  const onError = (error: Error) => announce(t('That did not work. {reason}', { reason: error.message }));
  const hold = useMutation({
    mutationFn: (on: boolean) => ok(api.PUT('/api/v1/calls/{id}/hold', { params, body: { on } })),
    onSettled,
    onError,
  });
  const pause = useMutation({
    mutationFn: (paused: boolean) => ok(api.PUT('/api/v1/calls/{id}/recording', { params, body: { paused } })),
    onSettled,
    onError,
  });
  const known = conversationState(call, entries);
  return {
    ...known,
    isHeld: hold.isPending ? hold.variables : known.isHeld,
    isHolding: hold.isPending,
    isPausing: pause.isPending,
    hold: hold.mutate,
    pause: pause.mutate,
  };
}
