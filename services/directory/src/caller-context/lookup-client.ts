import { createHmac } from 'node:crypto';
import type { Clock } from '@parley/clock';
import { type Egress, EgressError } from '@parley/egress';
import type { Encryptor } from '@parley/secrets';
import type { Logger } from '@parley/telemetry';
import { type Integration, type IntegrationKind, secretContext } from '../integrations/integration.ts';
import type { ProviderContext } from './caller-context.ts';
import type { Caller, Provider, ProviderRequest } from './provider.ts';
import { economic } from './economic.ts';
import { shopify } from './shopify.ts';
import { readLookupResult } from './read-lookup-result.ts';

const RESPONSE_BYTES_MAX = 512 * 1024;
/** Text in another encoding is refused rather than shown garbled. */
const utf8 = new TextDecoder('utf-8', { fatal: true });
const USER_AGENT = 'Parley-CallerContext/1.0';

/** A company's own system: one signed GET in our own protocol, docs/caller-context.md. */
const customEndpoint: Provider = {
  name: 'custom_endpoint',
  async lookUp({ phone }, { url, secret, now }, request) {
    const target = new URL(url);
    target.searchParams.set('phone', phone);
    const headers = { Accept: 'application/json', ...signature(secret, target, now) };
    return readLookupResult(await request({ url: target.href, headers }));
  },
};

/** The adapter of each kind of system. */
export const providers: Record<IntegrationKind, Provider> = {
  custom_endpoint: customEndpoint,
  ecommerce: shopify,
  accounting: economic,
};

/** The answers of all connected systems. */
export interface LookedUp {
  /** The contexts of systems that found the caller, in the order of their kinds. */
  readonly contexts: readonly ProviderContext[];
  /** Providers that failed or timed out: their earlier results may still be valid. */
  readonly silent: readonly string[];
}

export interface LookUpDeps {
  readonly egress: Egress;
  readonly encryptor: Encryptor;
  /** The machine's: other systems compare a signature's time with their own clocks. */
  readonly machineClock: Clock;
  readonly deadlineMs: number;
  readonly log: Logger;
}

/** Queries all systems in parallel, each with its own deadline; a failure does not affect the others. */
export async function lookUp(
  { egress, encryptor, machineClock, deadlineMs, log }: LookUpDeps,
  integrations: readonly Integration[],
  caller: Caller,
): Promise<LookedUp> {
  const answers = await Promise.all(
    integrations.map(async ({ id, kind, url, label, source, encryptedSecret }) => {
      const provider = providers[kind];
      try {
        const system = { url, secret: encryptor.decrypt(encryptedSecret, secretContext(id)), now: machineClock.now() };
        const found = await provider.lookUp(caller, system, providerClient(egress, deadlineMs));
        return { provider: provider.name, context: found && { provider: provider.name, label, source, ...found } };
      } catch (error) {
        log.info(
          { err: error, integration: id, provider: provider.name },
          'a connected system returned no usable response',
        );
        return { provider: provider.name, failed: true };
      }
    }),
  );
  return {
    contexts: answers.flatMap(({ context }) => context ?? []),
    silent: answers.flatMap(({ failed, provider }) => (failed ? [provider] : [])),
  };
}

/** Sends requests within a deadline that all requests of one lookup share; a truncated response is an error. */
function providerClient(egress: Egress, deadlineMs: number): ProviderRequest {
  const end = performance.now() + deadlineMs;
  // The egress counts from a request's turn on; waiting for the turn counts here.
  const signal = AbortSignal.timeout(deadlineMs);
  return async ({ url, headers }) => {
    const timeoutMs = Math.max(1, Math.ceil(end - performance.now()));
    const { status, body, truncated } = await egress.request({
      method: 'GET',
      url,
      headers: { 'User-Agent': USER_AGENT, ...headers },
      timeoutMs,
      maxResponseBytes: RESPONSE_BYTES_MAX,
      signal,
    });
    if (status === 404 || status === 204) return undefined;
    if (status !== 200) throw new EgressError('protocol', `the system answered ${status}`);
    if (truncated) throw new EgressError('protocol', 'the response is too long or was interrupted');
    return JSON.parse(utf8.decode(body));
  };
}

/** Signs this request only: a replay, or the same signature for another number, is detected. */
function signature(secret: string, target: URL, now: Date): Record<string, string> {
  const timestamp = String(Math.floor(now.getTime() / 1000));
  const signed = `${timestamp}.GET.${target.pathname}${target.search}`;
  const digest = createHmac('sha256', secret).update(signed).digest('hex');
  return { 'Parley-Timestamp': timestamp, 'Parley-Signature': `v1=${digest}` };
}
