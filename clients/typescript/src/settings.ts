import { requireTimeout, type TransportOptions } from './transport/transport.ts';
import { VERSION } from './version.ts';

/** Where the service is and how requests are sent. */
export interface ConnectionOptions {
  /** The address of the installation, such as `https://phone.example`; default: `PARLEY_BASE_URL`. */
  readonly baseUrl?: string | undefined;
  /** Of one attempt, its response included; default 20,000. */
  readonly timeoutMs?: number | undefined;
  /** How often a request is repeated; default 3. */
  readonly maxRetries?: number | undefined;
  readonly fetch?: typeof fetch | undefined;
  /** Your program's name and version, in front of the SDK's own. */
  readonly userAgent?: string | undefined;
}

export type ClientSettings = Omit<TransportOptions, 'credential'>;

const TIMEOUT_MS = 20_000;
const RETRIES = 3;
const RETRIES_MAX = 100;

export function clientSettings({
  baseUrl = environment('PARLEY_BASE_URL'),
  timeoutMs = TIMEOUT_MS,
  maxRetries = RETRIES,
  fetch = globalThis.fetch,
  userAgent,
}: ConnectionOptions): ClientSettings {
  requireTimeout(timeoutMs);
  if (!(Number.isInteger(maxRetries) && maxRetries >= 0 && maxRetries <= RETRIES_MAX))
    throw new TypeError(`maxRetries must be 0 to ${RETRIES_MAX}`);
  return {
    baseUrl: readBaseUrl(baseUrl),
    timeoutMs,
    maxRetries,
    // A browser's own function must be called without an object.
    fetch: (...args) => fetch(...args),
    userAgent: isBrowser() ? undefined : [userAgent, `parley-sdk-typescript/${VERSION}`].filter(Boolean).join(' '),
  };
}

function readBaseUrl(text: string | undefined): string {
  if (text === undefined || text === '') throw new TypeError('baseUrl is missing: pass it, or set PARLEY_BASE_URL');
  const url = URL.canParse(text) ? new URL(text) : undefined;
  // Not repeated in the message: it may have a password.
  if (!url || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '')
    throw new TypeError('baseUrl must be an address such as https://phone.example, without a user or a password');
  return `${url.origin}${url.pathname}`.replace(/\/+$/, '');
}

/** A variable of the environment, in runtimes that have one. */
export function environment(name: string): string | undefined {
  const { process } = globalThis as { process?: { env?: Record<string, string | undefined> } };
  try {
    return process?.env?.[name] || undefined;
  } catch {
    // Deno without the permission to read it.
    return undefined;
  }
}

/** A page or a worker: requests and WebSockets cannot set all headers. */
export function isBrowser(): boolean {
  const { document, WorkerGlobalScope, process } = globalThis as Record<string, unknown>;
  return process === undefined && (document !== undefined || WorkerGlobalScope !== undefined);
}
