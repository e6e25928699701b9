import type { LookupResult } from './caller-context.ts';

/** The number that is looked up, in the ways other systems may have written it. */
export interface Caller {
  /** E.164. */
  readonly phone: string;
  readonly international: string;
  readonly national: string;
  /** Whether another system's number, however written, is this one. */
  isSame(written: unknown): boolean;
}

/** Asks the system once; resolves with the JSON it answered, undefined for "not found", and throws for anything else. */
export type ProviderRequest = (request: { url: string; headers: Record<string, string> }) => Promise<unknown>;

/** How one kind of system is asked. It may ask several times within the deadline it is given. */
export interface Provider {
  readonly name: string;
  lookUp(
    caller: Caller,
    system: { readonly url: string; readonly secret: string; readonly now: Date },
    request: ProviderRequest,
  ): Promise<LookupResult | undefined>;
}
