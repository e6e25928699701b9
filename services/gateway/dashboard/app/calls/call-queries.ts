import { useInfiniteQuery, useQueries, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { api, at, ok } from '../api/client.ts';
import { queryKeys } from '../api/query-keys.ts';
import type { Call, Contact } from '../api/schema.d.ts';
import type { CallQuery } from './call-query.ts';
import { isChanging, isInProgress, remoteNumber } from './call-text.ts';

const PAGE = 50;
const REFRESH_MS = 2000;
/** Calls that others have are not all announced on the live channel. */
const REFRESH_LIST_MS = 8000;

function readCalls(query: CallQuery, signal: AbortSignal) {
  return ok(api.GET('/api/v1/calls', { params: { query: { ...query, limit: PAGE } }, signal }));
}

/** Page by page; it stays as it was read, so that nothing moves while one reads it. */
export function useCallList(query: CallQuery) {
  return useInfiniteQuery({
    queryKey: ['call list', query],
    queryFn: ({ signal, pageParam }) => readCalls({ ...query, ...(pageParam && { cursor: pageParam }) }, signal),
    initialPageParam: '',
    getNextPageParam: ({ next_cursor: cursor }) => cursor,
    placeholderData: (shown) => shown,
    staleTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
}

/** The newest calls as they are now. A search has no newest: it is ordered by relevance. */
export function useLatestCalls(query: CallQuery) {
  return useQuery({
    queryKey: [...queryKeys.calls, 'latest', query],
    queryFn: async ({ signal }) => (await readCalls(query, signal)).calls,
    enabled: query.query === undefined,
    refetchInterval: ({ state }) => (state.data?.some(isInProgress) ? REFRESH_MS : REFRESH_LIST_MS),
  });
}

/** The voicemails, which say what calls ended with one. */
export function useVoicemails() {
  return useQuery({
    queryKey: [...queryKeys.calls, 'voicemails'],
    queryFn: ({ signal }) => ok(api.GET('/api/v1/voicemails', { signal })),
    select: ({ voicemails }) => voicemails,
  });
}

export function useCall(id: string) {
  return useQuery({
    queryKey: queryKeys.call(id),
    queryFn: ({ signal }) => ok(api.GET('/api/v1/calls/{id}', { ...at(id), signal })),
    refetchInterval: ({ state }) => (state.data && isChanging(state.data, Date.now()) ? REFRESH_MS : false),
  });
}

export function useTranscript({ id, transcription_segments: segments }: Call) {
  return useQuery({
    queryKey: [...queryKeys.call(id), 'transcript'],
    queryFn: ({ signal }) => ok(api.GET('/api/v1/calls/{id}/transcript', { ...at(id), signal })),
    enabled: segments !== null,
    select: (transcript) => transcript.segments ?? [],
  });
}

export function useTimeline(call: Call) {
  const { id } = call;
  return useQuery({
    queryKey: [...queryKeys.call(id), 'timeline'],
    queryFn: ({ signal }) => ok(api.GET('/api/v1/calls/{id}/timeline', { ...at(id), signal })),
    refetchInterval: () => (isChanging(call, Date.now()) ? REFRESH_MS : false),
    select: ({ entries }) => entries,
  });
}

/** The contacts of the people in some calls, by phone number; `pages` are asked for one by one. */
export function useContactsOfCalls(pages: readonly (readonly Call[])[]): ReadonlyMap<string, Contact> {
  return useQueries({
    queries: pages.map((calls) => {
      const phones = [...new Set(calls.map(remoteNumber))].filter((number) => number !== undefined && isE164(number));
      const query = { phones: phones.toSorted().join(',') };
      return {
        queryKey: [...queryKeys.contacts, 'of calls', query.phones],
        queryFn: ({ signal }: { signal: AbortSignal }) =>
          ok(api.GET('/api/v1/contacts', { params: { query }, signal })),
        enabled: query.phones !== '',
      };
    }),
    combine: byPhone,
  });
}

function byPhone(results: readonly { data: readonly Contact[] | undefined }[]): ReadonlyMap<string, Contact> {
  return new Map(results.flatMap(({ data }) => data ?? []).map((contact) => [contact.phone, contact]));
}

function isE164(number: string | undefined): boolean {
  return /^\+\d{1,15}$/.test(number ?? '');
}

/** The contact of the person in a call. */
export function usePerson(call: Call | undefined): Contact | undefined {
  const pages = useMemo(() => (call ? [[call]] : []), [call]);
  const contacts = useContactsOfCalls(pages);
  const number = call && remoteNumber(call);
  return number === undefined ? undefined : contacts.get(number);
}
