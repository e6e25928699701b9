import { create, type MessageInitShape } from '@bufbuild/protobuf';
import { describe, expect, it } from '@jest/globals';
import type { CachedAnswers } from '@parley/events';
import { CallFlowConfigSchema, MenuAction } from '@parley/proto/numbers_routing/v1/call_flows_pb';
import type { Channel } from '@parley/rpc';
import { routingClient } from './routing-client.ts';

type Answers = Pick<CachedAnswers, 'get'>;

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
  return { asked, channel: { client: () => ({ resolveRoute }) } as unknown as Channel };
}

/** Caches nothing, as without a connection to the broker. */
const uncached: Answers = { get: (_companyId, _key, ask) => ask() };

/** Caches until the test ends. */
function cached(): Answers {
  const known = new Map<string, Promise<unknown>>();
  return {
    get<Answer>(companyId: string, key: string, ask: () => Promise<Answer>): Promise<Answer> {
      const name = `${companyId} ${key}`;
      if (!known.has(name)) known.set(name, ask());
      return known.get(name) as Promise<Answer>;
    },
  };
}

const nextTick = () => new Promise((resolve) => setImmediate(resolve));
const NOW = new Date('2026-03-02T10:00:00Z');

describe('the route of a number', () => {
  const answering = (flow: MessageInitShape<typeof CallFlowConfigSchema>) => {
    const number = { companyId: 'com_1', number: '+4570101010' };
    const answer = { number, withinBusinessHours: true, positionPrompts: [], flow: create(CallFlowConfigSchema, flow) };
    const channel = { client: () => ({ resolveRoute: async () => answer }) } as unknown as Channel;
    return routingClient(channel, uncached).route('+4570101010', NOW);
  };
  const voicemail = { config: { case: 'voicemail' as const, value: { greeting: { contentHash: 'greeting' } } } };
  const assistant = { assistantId: 'ast_1', assistantName: 'Robin' };

  it('the route of a number leads to an assistant with its fallback, also from a menu', async () => {
    const flow = {
      type: 'assistant',
      assistantId: 'ast_1',
      name: 'Robin',
      fallback: { type: 'voicemail', prompt: { contentHash: 'greeting', durationMs: null } },
    };
    const value = { ...assistant, fallback: voicemail };
    expect((await answering({ config: { case: 'assistant', value } }))?.flow).toEqual(flow);
    const menuOptions = [{ digit: '1', action: MenuAction.ASSISTANT, assistant: value }];
    const menu = await answering({ config: { case: 'phoneMenu', value: { welcome: {}, menuOptions } } });
    expect(menu?.flow).toMatchObject({ type: 'menu', options: [{ digit: '1', flow }] });
  });

  it('the route of a number to an assistant without a fallback is no route', async () => {
    await expect(answering({ config: { case: 'assistant', value: assistant } })).rejects.toThrow('without a fallback');
    const circle = { config: { case: 'assistant' as const, value: { ...assistant, fallback: voicemail } } };
    const nested = { config: { case: 'assistant' as const, value: { ...assistant, fallback: circle } } };
    await expect(answering(nested)).rejects.toThrow('without a fallback');
  });

  it('the route of a number is asked for once by calls that arrive during an earlier request, and never taken from that one', async () => {
    const { asked, channel } = heldBack();
    const routing = routingClient(channel, uncached);
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

  it('the route of a number is asked for again in the next minute, in which the business hours may have ended', async () => {
    const { asked, channel } = heldBack();
    const routing = routingClient(channel, cached());
    const at = async (time: string) => {
      const route = routing.route('+4570101010', new Date(`2026-03-02T${time}Z`));
      await nextTick();
      asked.forEach(({ answer }) => answer());
      return (await route)?.number.name;
    };
    expect(await at('15:59:00')).toBe('answer 0');
    expect(await at('15:59:59.999')).toBe('answer 0');
    expect(await at('16:00:00')).toBe('answer 1');
    expect(await at('15:59:59')).toBe('answer 0');
  });
});
