export interface ThreadQuery {
  /** A business number's id, or `ALL_NUMBERS`. */
  readonly scope: string;
  readonly withMessages: boolean;
  readonly unseen: boolean;
  readonly text: string | undefined;
  readonly assigneeId?: string | undefined;
  readonly state?: 'open' | 'done' | undefined;
}

/** The end of a page of threads. */
export interface ThreadPosition {
  readonly at: number;
  readonly phone: string;
}

export const QUERY_LENGTH_MAX = 128;
/** A query resolves at most this many contacts. */
export const CONTACT_CANDIDATES_MAX = 100;

/** The digits of a query that can only be meant as part of a phone number; undefined for any other. */
export function phoneDigitsOf(query: string): string | undefined {
  if (!/^[+\d\s().-]+$/.test(query)) return undefined;
  const digits = query.replaceAll(/\D/g, '');
  return digits === '' ? undefined : digits;
}
