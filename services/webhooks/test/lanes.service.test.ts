import { newId } from '@parley/secrets';
import { waitUntil } from '@parley/testkit';
import { describe, expect, it } from '@jest/globals';
import { webhooksFixture } from './support/webhooks-fixture.ts';

const EVENTS = 200;
/** The cost limit of a delivery in a lane, in single writes and posts of the same machine at the same time. */
const STEPS_MAX = 12;

const fixture = webhooksFixture();

/** The current duration of a journaled write followed by a request to the receiver. */
async function stepMs(): Promise<number> {
  const { webhooks, receiver } = fixture;
  const steps = webhooks.db.collection<{ _id: string }>('steps');
  const started = performance.now();
  for (let n = 0; n < EVENTS; n += 1) {
    await steps.insertOne({ _id: newId('stp') }, { writeConcern: { w: 1, j: true } });
    await fetch(`${receiver.origin}/step`, { method: 'POST', body: '{}' });
  }
  return (performance.now() - started) / EVENTS;
}

describe('events of one subject', () => {
  it('events of one subject arrive in order, and as quickly as a few writes and a request each', async () => {
    const { webhooks, receiver, subscribe } = fixture;
    const { path } = await subscribe(['contact.updated']);
    const { id } = await webhooks.contact('updated', { sequence: 1, name: '1' });
    await waitUntil(() => receiver.at(path).length === 1, { what: 'the first' });
    const own = await stepMs();
    const started = performance.now();
    for (let n = 2; n <= EVENTS; n += 1) await webhooks.contact('updated', { id, sequence: n, name: `${n}` });
    await waitUntil(() => receiver.at(path).length === EVENTS, { what: 'all of them', timeoutMs: 120_000 });
    const tookMs = (performance.now() - started) / EVENTS;
    expect(receiver.at(path).map(({ body }) => body.data['contact'].name)).toEqual(
      Array.from({ length: EVENTS }, (_, n) => `${n + 1}`),
    );
    expect(tookMs / own).toBeLessThan(STEPS_MAX);
  }, 180_000);
});
