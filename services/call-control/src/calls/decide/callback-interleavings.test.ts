import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { awaitsCallback } from '../model/call.ts';
import type { CallFlow } from '../model/call-flow.ts';
import { ada, bob, inbound, prompt, type TestCall, transfer } from '../../../test/test-call.ts';

const team = [ada, bob];
const forward: CallFlow = { type: 'forward', phoneNumber: '+4540506070', timeoutSecs: 20, confirm: true };

/** One thing that may happen; `which` chooses among the legs or employees that are there. */
type Step =
  | { readonly do: 'offer' | 'offer_outside' | 'withdraw' | 'remove'; readonly which: number }
  | { readonly do: 'answer' | 'end' | 'busy' | 'no_network' | 'key'; readonly which: number }
  | { readonly do: 'settle'; readonly which: number }
  | { readonly do: 'pass'; readonly secs: number }
  | { readonly do: 'permit' | 'key_prompt' | 'finish_audio' | 'place' | 'switch_lost' };

const which = fc.nat(20);
const one = <Kind extends string>(...kinds: Kind[]) => fc.record({ do: fc.constantFrom(...kinds), which });
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: one('offer', 'offer_outside') },
  { weight: 1, arbitrary: one('withdraw', 'remove') },
  { weight: 8, arbitrary: one('answer', 'key') },
  { weight: 4, arbitrary: one('end', 'busy', 'no_network') },
  { weight: 4, arbitrary: one('settle') },
  { weight: 5, arbitrary: fc.record({ do: fc.constant('pass' as const), secs: fc.nat(200) }) },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constantFrom('key_prompt' as const, 'finish_audio' as const, 'place' as const) }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('permit' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('switch_lost' as const) }) },
);

function perform(test: TestCall, action: Step): void {
  const { phase, legs } = test.call;
  const chosen = <Item>(items: readonly Item[], at: number) => items[at % items.length];
  const leg = 'which' in action ? chosen(legs, action.which) : undefined;
  switch (action.do) {
    case 'offer':
      return void test.apply({ type: 'offer', employee: chosen(team, action.which)! });
    case 'offer_outside':
      return void test.apply({ type: 'offer', employee: chosen(team, action.which)!, forwardTo: '+4540506071' });
    case 'withdraw':
      return void test.apply({ type: 'withdraw_offer', employeeId: chosen(team, action.which)!.id });
    case 'remove':
      return void test.apply({ type: 'employee_removed', employeeId: chosen(team, action.which)!.id });
    case 'answer':
      return leg && leg.status !== 'answered' ? test.answer(leg.id) : undefined;
    case 'key':
      return leg && void test.apply({ type: 'digit', legId: leg.id, digit: '1' });
    case 'end':
      return leg && test.hangUp(leg.id);
    case 'busy':
      return leg && leg.status !== 'answered' ? test.hangUp(leg.id, 'USER_BUSY') : undefined;
    case 'no_network':
      return leg && leg.status !== 'answered' ? test.hangUp(leg.id, 'NETWORK_OUT_OF_ORDER') : undefined;
    case 'settle': {
      const dial = chosen(
        test.commands.filter(({ kind }) => kind === 'dial'),
        action.which,
      );
      return dial && test.settle(dial, { kind: 'dial', refused: action.which % 4 === 0 ? 'NO_CARRIER' : null });
    }
    case 'permit':
      return test.settle({ kind: 'permit_callback' }, { kind: 'permit_callback', isPermitted: true });
    case 'key_prompt':
      return test.settle({ kind: 'prepare_key_prompt' }, { kind: 'prepare_key_prompt', contentHash: 'press-1' });
    case 'finish_audio':
      return 'playId' in phase && phase.kind !== 'waiting' ? test.finishPlayback() : undefined;
    case 'place':
      return void test.apply({ type: 'place_found', place: 1 });
    case 'switch_lost':
      return void test.apply({ type: 'switch_lost' });
    case 'pass':
      return test.pass(action.secs);
  }
}

function checkInvariants(test: TestCall): void {
  const { phase, legs, customerLegId, state, callback, offeredTo, activeFor } = test.call;
  // No caller is lost: whoever is on the line, or waits to be called back, has a call that goes on.
  const isOnTheLine = legs.some(({ id, hangingUp }) => id === customerLegId && !hangingUp);
  if (isOnTheLine || awaitsCallback(test.call)) expect(state).not.toBe('ended');
  if (state !== 'ended') expect(legs.length > 0 || awaitsCallback(test.call)).toBe(true);
  // Every leg belongs to a participant, or has been commanded to end.
  const offers = phase.kind === 'waiting' ? phase.offers : [];
  const wanted = new Set([
    customerLegId,
    ...offers.flatMap(({ legIds }) => legIds),
    'legId' in phase ? phase.legId : '',
  ]);
  for (const { id, hangingUp } of legs) if (!wanted.has(id)) expect(hangingUp).toBe(true);
  // The time of phones outside the company runs exactly as long as one of them is awaited.
  const isAwaited = legs.some(({ outside, hangingUp }) => outside?.until && !hangingUp);
  expect(test.timers.has('outside_leg')).toBe(isAwaited);
  if (!awaitsCallback(test.call)) expect(test.timers.has('callback')).toBe(false);
  expect(callback?.attempts ?? 0).toBeLessThanOrEqual(2);
  // Whoever was claimed is released once.
  const count = (kind: string, id: string) =>
    test.commands.filter((command) => command.kind === kind && 'employeeId' in command && command.employeeId === id)
      .length;
  for (const { id } of team) {
    const made = test.call.timeline.filter(({ what, employeeId }) => what === 'offer_made' && employeeId === id).length;
    expect(count('release_offer', id)).toBe(made - Number(offeredTo.includes(id)));
    expect(count('end_conversation', id)).toBe(count('start_conversation', id) - Number(activeFor.includes(id)));
  }
  if (state === 'ended') expect([...test.timers.keys()]).toEqual([]);
}

describe('any interleaving with callbacks and phones outside the company', () => {
  it.each([
    ['a queue', transfer(...team)],
    ['a forward', forward],
  ] as const)(
    'any interleaving with callbacks and phones outside the company loses no caller and releases everybody, in %s',
    (_, flow) => {
      fc.assert(
        fc.property(fc.array(step, { maxLength: 60 }), fc.boolean(), (steps, hasNoAnswer) => {
          const more = hasNoAnswer ? { noAnswer: { timeoutSecs: 60, flow: transfer(bob) } } : {};
          const test = inbound(flow, { ...more, callbackPrompt: prompt('offer'), positionPrompts: [prompt('one')] });
          for (const action of steps) {
            perform(test, action);
            checkInvariants(test);
          }
          // Everything comes to an end: everybody hangs up, or nobody does anything for four hours.
          for (const { id } of test.call.legs) test.hangUp(id);
          test.pass(4 * 3600 + 1);
          for (const { id } of test.call.legs) test.hangUp(id);
          expect([test.call.state, test.call.legs, [...test.timers.keys()]]).toEqual(['ended', [], []]);
        }),
        { numRuns: 500 },
      );
    },
  );
});
