/** What the list of threads is restricted to; all of it is in the page's address. */
export interface ThreadFilters {
  readonly query: string;
  readonly unseen: boolean;
  /** Empty for all of them. */
  readonly businessNumberId: string;
}

/** The API accepts no more. */
const QUERY_LENGTH_MAX = 128;

export function readFilters(search: URLSearchParams): ThreadFilters {
  return {
    query: (search.get('query') ?? '').slice(0, QUERY_LENGTH_MAX),
    unseen: search.get('unseen') === 'true',
    businessNumberId: search.get('business_number_id') ?? '',
  };
}

export function writeFilters({ query, unseen, businessNumberId }: ThreadFilters): URLSearchParams {
  return new URLSearchParams({
    ...(query !== '' && { query }),
    ...(unseen && { unseen: 'true' }),
    ...(businessNumberId !== '' && { business_number_id: businessNumberId }),
  });
}
