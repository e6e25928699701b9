import { describe, expect, it } from '@jest/globals';
import type { Channel } from '@parley/rpc';
import { routingClient } from './routing-client.ts';

/** Answers when the test lets it. */
function heldBack() {
  const asked: { number: string; answer: () => void }[] = [];
  const resolveRoute = ({ number }: { number: string }) =>
    new Promise((resolve) => {
      const answered = { companyId: 'com_1', number, name: `answer ${asked.length}` };
      asked.push({
        number,
        answer: () => resolve({ number: answered, withinBusinessHours: true, positionPrompts: [] }),
      });
    });
  return { asked, routing: routingClient({ client: () => ({ resolveRoute }) } as unknown as Channel) };
}

const nextTick = () => new Promise((resolve) => setImmediate(resolve));
const NOW = new Date('2026-03-02T10:00:00Z');

describe('the route of a number', () => {
  it('is asked for once by calls that arrive during an earlier request, and never taken from that one', async () => {
    const { asked, routing } = heldBack();
    const first = routing.route('+4570101010', NOW);
    await nextTick();
    const later = [routing.route('+4570101010', NOW), routing.route('+4570101010', NOW)];
    const other = routing.route('+4570202020', NOW);
    await nextTick();
    expect(asked.map(({ number }) => number)).toEqual(['+4570101010', '+4570202020']);
    asked.forEach(({ answer }) => answer());
    expect((await first)?.number.name).toBe('answer 0');
    expect((await other)?.number.name).toBe('answer 1');
    await nextTick();
    expect(asked).toHaveLength(3);
    asked[2]!.answer();
    expect((await Promise.all(later)).map((route) => route?.number.name)).toEqual(['answer 2', 'answer 2']);
  });
});
