import { useQuery } from '@tanstack/react-query';
import { businessNumbersQuery } from '../api/shared-queries.ts';
import { readersZone } from '../i18n/zoned-time.ts';
import { businessNumberQuery } from '../numbers/business-number-queries.ts';

const STALE_MS = 600_000;

/**
 * The time zone of the company's first number, as the API's default is: every reader sees the same days. That of the reader where
 * there is no number; undefined until it is known.
 */
export function useReportZone(): string | undefined {
  const numbers = useQuery(businessNumbersQuery);
  const id = numbers.data?.[0]?.id;
  const number = useQuery({ ...businessNumberQuery(id ?? ''), enabled: id !== undefined, staleTime: STALE_MS });
  if (number.data) return number.data.timezone;
  const hasNone = numbers.isSuccess && id === undefined;
  return hasNone || numbers.isError || number.isError ? readersZone() : undefined;
}
