import { createHmac } from 'node:crypto';
import type { Provider } from './provider.ts';
import { readLookupResult } from './read-lookup-result.ts';

/** A company's own system: one signed GET in our own protocol, docs/caller-context.md. */
export const customEndpoint: Provider = {
  name: 'custom_endpoint',
  async lookUp({ phone }, { url, secret, now }, request) {
    const target = new URL(url);
    target.searchParams.set('phone', phone);
    const headers = { Accept: 'application/json', ...signature(secret, target, now) };
    return readLookupResult(await request({ url: target.href, headers }));
  },
};

/** Signs this request only: a replay, or the same signature for another number, is detected. */
function signature(secret: string, target: URL, now: Date): Record<string, string> {
  const timestamp = String(Math.floor(now.getTime() / 1000));
  const signed = `${timestamp}.GET.${target.pathname}${target.search}`;
  const digest = createHmac('sha256', secret).update(signed).digest('hex');
  return { 'Parley-Timestamp': timestamp, 'Parley-Signature': `v1=${digest}` };
}
