import { skipToken, useQuery } from '@tanstack/react-query';
import { api, ok } from '../api/client.ts';
import { queryKeys } from '../api/query-keys.ts';

const ACTIVE_CALL_MS = 1500;

/** The employee's call as the API sees it, followed while there is one. */
export function useActiveCall(isInCall: boolean) {
  return useQuery({
    queryKey: queryKeys.activeCall,
    queryFn: isInCall
      ? async ({ signal }) => {
          const { data, response } = await api.GET('/api/v1/calls/active', { signal });
          return response.status === 200 ? (data ?? null) : null;
        }
      : skipToken,
    refetchInterval: ACTIVE_CALL_MS,
    refetchIntervalInBackground: true,
    staleTime: 0,
    gcTime: 0,
  });
}

const ENDED_CALL_MS = 5000;

/** The id of the call once it has ended; asked rarely, because the phone is usually told. */
export function useEndedCall(callId: string | null): string | undefined {
  const { data } = useQuery({
    queryKey: [...queryKeys.call(callId ?? ''), 'state'],
    queryFn: callId
      ? ({ signal }) => ok(api.GET('/api/v1/calls/{id}', { params: { path: { id: callId } }, signal }))
      : skipToken,
    refetchInterval: ENDED_CALL_MS,
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

export function useCallerContext(number: string) {
  return useQuery({
    queryKey: queryKeys.callerContext(number),
    queryFn: number.startsWith('+')
      ? ({ signal }) => ok(api.GET('/api/v1/caller_context', { params: { query: { phone: number } }, signal }))
      : skipToken,
  });
}
