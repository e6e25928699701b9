import { keepPreviousData, skipToken, useQuery } from '@tanstack/react-query';
import { api, ok } from '../api/client.ts';
import { queryKeys } from '../api/query-keys.ts';
import { useIsLive } from '../live/live-channel.ts';
import { useDebounced } from '../ui/use-debounced.ts';

/** While something changes that the live channel does not tell: a transfer, or a call that the API does not know yet. */
const UNSETTLED_MS = 1500;
const SETTLED_MS = 15_000;

/** The employee's call as the API sees it, followed while there is one; `isChoosing`: somebody to transfer it to. */
export function useActiveCall(isInCall: boolean, isChoosing = false) {
  const isLive = useIsLive();
  return useQuery({
    queryKey: queryKeys.activeCall,
    queryFn: isInCall
      ? async ({ signal }) => {
          const { data, response } = await api.GET('/api/v1/calls/active', { signal });
          return response.status === 200 ? (data ?? null) : null;
        }
      : skipToken,
    refetchInterval: ({ state: { data } }) =>
      !isLive || isChoosing || !data || data.transfer ? UNSETTLED_MS : SETTLED_MS,
    refetchIntervalInBackground: true,
    staleTime: 0,
    gcTime: 0,
  });
}

export type ActiveCall = NonNullable<ReturnType<typeof useActiveCall>['data']>;

/** Without the live channel, and with it, which tells. */
const ENDED_CALL_MS = { alone: 5000, live: 30_000 };

/** The id of the call once it has ended; polled rarely, because the phone usually receives the end itself. */
export function useEndedCall(callId: string | null): string | undefined {
  const isLive = useIsLive();
  const { data } = useQuery({
    queryKey: [...queryKeys.call(callId ?? ''), 'state'],
    queryFn: callId
      ? ({ signal }) => ok(api.GET('/api/v1/calls/{id}', { params: { path: { id: callId } }, signal }))
      : skipToken,
    refetchInterval: isLive ? ENDED_CALL_MS.live : ENDED_CALL_MS.alone,
    refetchIntervalInBackground: true,
  });
  return data?.state === 'ended' ? data.id : undefined;
}

/** The call that rings here, for the name of the number that was called. */
export function useCall(callId: string | null) {
  return useQuery({
    queryKey: queryKeys.call(callId ?? ''),
    queryFn: callId
      ? ({ signal }) => ok(api.GET('/api/v1/calls/{id}', { params: { path: { id: callId } }, signal }))
      : skipToken,
  });
}

/** Fewer digits are no phone number anywhere. */
const DIGITS_MIN = 6;

/** Also accepts a number without its country code, as it was dialled. */
export function useCallerContext(number: string) {
  return useQuery({
    queryKey: queryKeys.callerContext(number),
    queryFn:
      number.replaceAll(/\D/g, '').length >= DIGITS_MIN
        ? ({ signal }) => ok(api.GET('/api/v1/caller_context', { params: { query: { phone: number } }, signal }))
        : skipToken,
    staleTime: 60_000,
  });
}

const PEOPLE_MAX = 6;
const LETTERS_MIN = 2;

/** Contacts whose name matches what is typed into the dialler. */
export function usePeople(typed: string) {
  const words = useDebounced(typed.trim());
  const isName = /\p{L}/u.test(words) && words.length >= LETTERS_MIN;
  return useQuery({
    queryKey: [...queryKeys.contacts, 'dialler', words],
    queryFn: isName
      ? ({ signal }) =>
          ok(api.GET('/api/v1/contacts', { params: { query: { query: words, limit: String(PEOPLE_MAX) } }, signal }))
      : skipToken,
    placeholderData: isName ? keepPreviousData : undefined,
  });
}
