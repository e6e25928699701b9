import type { LookupResult } from './caller-context.ts';

/** The number that is looked up, in the ways other systems may have written it. */
export interface Caller {
  /** E.164. */
  readonly phone: string;
  readonly international: string;
  readonly national: string;
  /** Compares normalized numbers: the other system may have stored the number in any format. */
  isSame(written: unknown): boolean;
}

/** Sends one request; resolves with the JSON response, undefined for "not found", and throws otherwise. */
export type ProviderRequest = (request: { url: string; headers: Record<string, string> }) => Promise<unknown>;

/** The adapter of one kind of system. It may send several requests within its deadline. */
export interface Provider {
  readonly name: string;
  lookUp(
    caller: Caller,
    system: { readonly url: string; readonly secret: string; readonly now: Date },
    request: ProviderRequest,
  ): Promise<LookupResult | undefined>;
}
