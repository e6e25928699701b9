// What must be true of a call with an assistant once it is over, whatever happened to its processes.
import { type AssistantCompany, type Item } from '../assistants/assistant-company.ts';
import { waitUntil } from '@parley/testkit/wait-until';
import { requireThat, untilAnswered } from './stress-stack.ts';

const WITHIN_MS = 60_000;

export const itemsOf = async (fixture: AssistantCompany, callId: string): Promise<Item[]> =>
  (await untilAnswered(() => fixture.company.call('GET', `/calls/${callId}/assistant_session?limit=100`))).body.items;

/** Call, session and the caller's leg have ended once, as it was seen; nothing is told twice, and nothing that did not happen. */
export async function checkEnd(
  fixture: AssistantCompany,
  { callId, legId }: { readonly callId: string; readonly legId: string },
  outcome: string,
): Promise<void> {
  const events = await fixture.events(callId, 'call.ended');
  requireThat(events.filter((type) => type === 'call.ended').length === 1, `events ${events.join(', ')}`);
  await fixture.legState(legId, 'ended');
  await fixture.state(callId, 'ended');
  const session = await waitUntil(
    async () => {
      const { body } = await fixture.company.call('GET', `/calls/${callId}/assistant_session?limit=100`);
      return body.state === 'ended' && body.summary ? body : undefined;
    },
    { what: 'the end of the session', timeoutMs: WITHIN_MS },
  );
  requireThat(session.outcome === outcome, `the outcome ${session.outcome}`);
  checkItems(session.items, outcome);
}

function checkItems(items: readonly Item[], outcome: string): void {
  const sequences = items.map(({ sequence }) => sequence);
  requireThat(
    sequences.every((sequence, at) => sequence === at + 1),
    `the items ${sequences}`,
  );
  const unfinished = items.filter(({ type, ended_at: endedAt }) => (type === 'turn' || type === 'action') && !endedAt);
  requireThat(unfinished.length === 0, `items that go on: ${JSON.stringify(unfinished)}`);
  const transfers = items.filter(({ action }) => action === 'transfer_call');
  const connections = transfers.filter(({ result }) => result === 'connected').length;
  requireThat(connections === (outcome === 'transferred' ? 1 : 0), `${connections} connections`);
  const fallbacks = items.filter(({ event }) => event === 'fallback').length;
  requireThat(fallbacks <= (outcome === 'fallback' ? 1 : 0), `${fallbacks} fallbacks`);
  const greetings = items.filter(({ event }) => event === 'greeting').length;
  requireThat(greetings === 1, `${greetings} greetings`);
  const claims = items.filter(({ spoken }) => /try(ing)? to reach/.test(spoken ?? '')).length;
  requireThat(claims <= transfers.length, `${transfers.length} transfers, of which ${claims} were announced`);
}
