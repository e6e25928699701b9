/** The server that is looked at, and what the kit may use of it. */
export interface Target {
  readonly baseUrl: string;
  /** Without operator and sandbox: the key whose company the checks use. */
  readonly apiKey?: string;
  readonly operator?: { readonly url: string; readonly token: string };
  readonly sandboxUrl?: string;
}

/** `api`: an API key is enough. `full`: the operator API and the sandbox are needed as well. */
export type Profile = 'api' | 'full';

export function profileOf({ operator, sandboxUrl }: Target): Profile {
  return operator && sandboxUrl !== undefined ? 'full' : 'api';
}
