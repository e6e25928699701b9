import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { CallNumber } from '../model/call.ts';
import { ringingOrder, waitsFor } from './queue.ts';
import { ada, bob, cyd, inbound, rejection, type TestCall, transfer } from '../../../test/test-call.ts';

const team = [ada, bob, cyd];

/** One thing that may happen to a waiting call; `who` and `phone` choose among what is there. */
type Step =
  | { readonly do: 'offer' | 'offer_next' | 'withdraw' | 'remove'; readonly who: number }
  | { readonly do: 'rung' | 'answer' | 'end' | 'lose'; readonly phone: number }
  | { readonly do: 'pass'; readonly secs: number }
  | { readonly do: 'hang_up' };

const index = fc.nat(20);
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constantFrom('offer' as const, 'offer_next' as const), who: index }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('withdraw' as const, 'remove' as const), who: index }) },
  {
    weight: 5,
    arbitrary: fc.record({ do: fc.constantFrom('rung' as const, 'end' as const, 'lose' as const), phone: index }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('answer' as const), phone: index }) },
  { weight: 5, arbitrary: fc.record({ do: fc.constant('pass' as const), secs: fc.nat(25) }) },
  { weight: 1, arbitrary: fc.constant({ do: 'hang_up' as const }) },
);

function perform(test: TestCall, action: Step): void {
  const { phase, legs, customerLegId } = test.call;
  const chosen = <Item>(items: readonly Item[], at: number) => items[at % items.length];
  const phones = legs.filter(({ id }) => id !== customerLegId);
  switch (action.do) {
    case 'offer':
      return void test.apply({ type: 'offer', employee: chosen(team, action.who)! });
    case 'offer_next': {
      const available = team.filter(({ id }) => waitsFor(test.call, id, test.now));
      const [next] = ringingOrder(
        test.call,
        available.map(({ id }) => ({ id, since: null })),
      );
      const employee = team.find(({ id }) => id === next);
      return employee && void test.apply({ type: 'offer', employee });
    }
    case 'withdraw':
      return void test.apply({ type: 'withdraw_offer', employeeId: chosen(team, action.who)!.id });
    case 'remove':
      return void test.apply({ type: 'employee_removed', employeeId: chosen(team, action.who)!.id });
    case 'rung': {
      const offer = phase.kind === 'waiting' ? phase.offers.at(-1) : undefined;
      return offer && void test.ringPhone(offer.employee.id);
    }
    case 'answer': {
      const phone = chosen(phones, action.phone);
      return phone && test.answer(phone.id);
    }
    case 'end': {
      const phone = chosen(phones, action.phone);
      return phone && test.hangUp(phone.id, 'CALL_REJECTED');
    }
    case 'lose': {
      const phone = chosen(phones, action.phone);
      return phone && void test.apply({ type: 'phone_lost', legIds: [phone.id] });
    }
    case 'pass':
      return test.pass(action.secs);
    case 'hang_up':
      return test.hangUp();
  }
}

/** The invariants of a call between any two inputs; the list is in the README of the service. */
function checkInvariants(test: TestCall, strategy: CallNumber['ringStrategy']): void {
  const { phase, legs, customerLegId, state } = test.call;
  const offers = phase.kind === 'waiting' ? phase.offers : [];
  // Nobody is rung twice for a call, and at most one employee where they are rung one after the other.
  expect(new Set(offers.map(({ employee }) => employee.id)).size).toBe(offers.length);
  if (strategy) expect(offers.length).toBeLessThanOrEqual(1);
  // Every phone belongs to an offer or to the conversation, or has been commanded to stop.
  const wanted = new Set([...offers.flatMap(({ legIds }) => legIds), ...('legId' in phase ? [phase.legId] : [])]);
  for (const { id, hangingUp } of legs) if (id !== customerLegId && !wanted.has(id)) expect(hangingUp).toBe(true);
  // The time of an employee who is rung alone runs exactly as long as the phone rings.
  expect(test.timers.has('ring_next')).toBe(strategy !== undefined && offers.length > 0);
  // A caller who waits and rings nobody is looked after: by a search, a timer or an employee who becomes available.
  if (phase.kind === 'waiting') expect(state).toBe(offers.length > 0 ? 'transferring' : 'queued');
  // Everybody who was claimed is released once.
  const count = (kind: 'ring' | 'release_offer', id: string) =>
    test.commands.filter((command) => command.kind === kind && command.employeeId === id).length;
  for (const { id } of team) {
    const isOffered = offers.some(({ employee }) => employee.id === id);
    expect(count('release_offer', id)).toBe(count('ring', id) - Number(isOffered));
  }
  if (state === 'ended') expect([...test.timers.keys()]).toEqual([]);
}

describe.each([undefined, 'in_order', 'longest_idle'] as const)('any interleaving with the strategy %j', (strategy) => {
  it('any interleaving keeps the invariants of the queue', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), fc.boolean(), (steps, hasNoAnswer) => {
        const more = hasNoAnswer ? { noAnswer: { timeoutSecs: 60, flow: rejection } } : {};
        const test = inbound(transfer(...team), { ...more, ringStrategy: strategy });
        for (const action of steps) {
          perform(test, action);
          checkInvariants(test, strategy);
        }
        test.hangUp();
        for (const { id } of test.call.legs) test.hangUp(id);
        expect([test.call.state, test.call.legs, [...test.timers.keys()]]).toEqual(['ended', [], []]);
      }),
      { numRuns: 400 },
    );
  });
});
