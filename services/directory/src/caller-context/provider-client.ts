import { type Egress, EgressError } from '@parley/egress';
import type { ProviderRequest } from './provider.ts';

const RESPONSE_BYTES_MAX = 512 * 1024;
/** Text in another encoding is refused rather than shown garbled. */
const utf8 = new TextDecoder('utf-8', { fatal: true });
const USER_AGENT = 'Parley-CallerContext/1.0';

/** Sends requests within a deadline that all requests of one lookup share; a truncated response is an error. */
export function providerClient(egress: Egress, deadlineMs: number): ProviderRequest {
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
