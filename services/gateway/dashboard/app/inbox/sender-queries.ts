import { useQuery } from '@tanstack/react-query';
import { api, at, ok } from '../api/client.ts';
import { queryClient } from '../api/query-client.ts';
import { queryKeys } from '../api/query-keys.ts';
import type { BusinessNumber } from '../api/schema.d.ts';
import { businessNumbersQuery } from '../api/shared-queries.ts';

/** Requests at the same time: browsers open no more connections to one server. */
const CONCURRENT_MAX = 6;

/** The business numbers that can send texts. */
export function useSenders() {
  return useQuery({
    queryKey: [...queryKeys.businessNumbers, 'senders'],
    queryFn: async ({ signal }) => {
      const { main_numbers: listed } = await queryClient.fetchQuery(businessNumbersQuery);
      const numbers: BusinessNumber[] = [];
      for (let start = 0; start < listed.length; start += CONCURRENT_MAX) {
        const some = listed.slice(start, start + CONCURRENT_MAX).map(({ id }) => readNumber(id, signal));
        numbers.push(...(await Promise.all(some)));
      }
      return numbers.filter(({ messaging }) => messaging.sms.can_send);
    },
    staleTime: 300_000,
  });
}

function readNumber(id: string, signal: AbortSignal): Promise<BusinessNumber> {
  return ok(api.GET('/api/v1/business_numbers/{id}', { ...at(id), signal }));
}
