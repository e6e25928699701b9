import { waitUntil } from '@parley/testkit/wait-until';
import { startTexting } from '../messages/texting.ts';
import type { LocalJson } from './local-stack.ts';

const WITHIN_MS = 240_000;

/**
 * The first requests to a new stack are its slowest: services load code, connect to each other and create collections. On a
 * busy machine that may take longer than a client waits, so the tests begin when it has been done.
 */
export async function warmUp(stack: LocalJson): Promise<void> {
  const texting = await waitUntil(() => startTexting(stack), { what: 'a first company', timeoutMs: WITHIN_MS });
  await waitUntil(() => texting.receive({ from: texting.customer(), text: 'Hello' }), {
    what: 'a first text',
    timeoutMs: WITHIN_MS,
  });
  for (const path of ['/contacts', '/calls', '/inbox', '/webhooks'])
    await waitUntil(async () => (await texting.company.call('GET', path)).status === 200, {
      what: `a first response to ${path}`,
      timeoutMs: WITHIN_MS,
    });
}
