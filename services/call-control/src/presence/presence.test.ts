import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  type EmployeePresence,
  expire,
  hearFacts,
  type PresenceLease,
  hold,
  leave,
  newPresence,
  type PresenceEvent,
  release,
} from './presence.ts';
import type { Status } from './status.ts';

const LEASE_MS = 20_000;
const start = new Date('2026-01-05T09:00:00Z');
const at = (secs: number) => new Date(start.getTime() + secs * 1000);
const fresh = (facts = { doNotDisturb: false, invitationPending: false }) =>
  newPresence({ id: 'emp_1', companyId: 'com_1' }, facts);
const held = (kind: PresenceLease['kind'], id: string, now: Date): PresenceLease => ({
  kind,
  id,
  until: new Date(now.getTime() + LEASE_MS),
});

function state(decision: ReturnType<typeof hold>): EmployeePresence {
  if (!decision.ok) throw new Error(decision.refusal.message);
  return decision.state;
}

describe('presence', () => {
  it('is available with a softphone on line and logged out when the last one leaves', () => {
    let presence = state(hold(fresh(), held('session', 'a', start), start));
    expect([presence.status, presence.statusInDoNotDisturb]).toEqual(['available', 'do_not_disturb']);
    presence = state(hold(presence, held('session', 'b', start), start));
    presence = state(release(presence, { kind: 'session', id: 'a' }, start));
    expect(presence.status).toBe('available');
    presence = state(release(presence, { kind: 'session', id: 'b' }, start));
    expect([presence.status, presence.due]).toEqual(['logged_out', null]);
  });

  it('ends when nobody renews it, and plans for exactly that moment', () => {
    const presence = state(hold(fresh(), held('session', 'a', start), start));
    expect(presence.due).toEqual({ at: at(20), waitMs: LEASE_MS });
    expect(state(expire(presence, at(19))).status).toBe('available');
    expect(state(expire(presence, at(20))).status).toBe('logged_out');
  });

  it('nobody is stuck on a call or ringing: both run out like a session', () => {
    let presence = state(hold(fresh(), held('conversation', 'call_1', start), start));
    presence = state(hold(presence, held('ring_offer', 'call_2', at(5)), at(5)));
    expect(presence.status).toBe('on_call');
    presence = state(expire(presence, at(21)));
    expect([presence.status, presence.due?.at]).toEqual(['ringing', at(25)]);
    expect(state(expire(presence, at(25))).status).toBe('logged_out');
  });

  it('a renewal moves the end and is no event', () => {
    const presence = state(hold(fresh(), held('session', 'a', start), start));
    const renewed = hold(presence, held('session', 'a', at(10)), at(10));
    expect(renewed).toMatchObject({ events: [], state: { holds: [{ until: at(30) }], due: { at: at(30) } } });
  });

  it('a softphone ends a pending invitation; a conversation does not', () => {
    const pending = fresh({ doNotDisturb: false, invitationPending: true });
    expect(state(hold(pending, held('conversation', 'c', start), start)).invitationPending).toBe(true);
    const there = state(hold(pending, held('session', 'a', start), start));
    expect([there.invitationPending, there.status]).toEqual([false, 'available']);
    const late = hearFacts(there, { doNotDisturb: false, invitationPending: true }, start);
    expect(state(late).status).toBe('available');
  });

  it('do-not-disturb cancels what is ringing and leaves the conversation', () => {
    let presence = state(hold(fresh(), held('session', 'a', start), start));
    presence = state(hold(presence, held('ring_offer', 'r', start), start));
    presence = state(hold(presence, held('conversation', 'c', start), start));
    presence = state(hearFacts(presence, { doNotDisturb: true, invitationPending: false }, start));
    expect(presence.holds.map(({ kind }) => kind)).toEqual(['session', 'conversation']);
    expect([presence.status, presence.statusInDoNotDisturb]).toEqual(['on_call', 'on_call']);
  });

  it('the last word about somebody who left is that nobody is there', () => {
    const presence = state(hold(fresh(), held('session', 'a', start), start));
    const gone = leave(presence, start);
    expect(gone).toMatchObject({ state: null, events: [{ presence: { status: 'logged_out', holds: [] } }] });
  });
});

type Signal =
  | { do: 'hold' | 'release'; kind: PresenceLease['kind']; id: string }
  | { do: 'disturb'; on: boolean }
  | { do: 'sign_in' }
  | { do: 'wait'; secs: number };

const kind = fc.constantFrom('session' as const, 'conversation' as const, 'ring_offer' as const);
const id = fc.constantFrom('a', 'b');
const signal: fc.Arbitrary<Signal> = fc.oneof(
  fc.record({ do: fc.constantFrom('hold' as const, 'release' as const), kind, id }),
  fc.record({ do: fc.constant('disturb' as const), on: fc.boolean() }),
  fc.record({ do: fc.constant('sign_in' as const) }),
  fc.record({ do: fc.constant('wait' as const), secs: fc.integer({ min: 1, max: 30 }) }),
);

it('after two thousand random signals, some repeated, every answer equals a recomputation and every event tells something new', () => {
  fc.assert(
    fc.property(fc.array(signal, { minLength: 2000, maxLength: 2000 }), fc.boolean(), (signals, pending) => {
      let now = start;
      let presence = fresh({ doNotDisturb: false, invitationPending: pending });
      const model = { ends: new Map<string, number>(), disturb: false, pending };
      const events: PresenceEvent[] = [];
      for (const [index, one] of signals.entries()) {
        const before = presence;
        // Every third signal arrives twice.
        for (let times = index % 3 === 0 ? 2 : 1; times > 0; times -= 1) {
          const decision = apply(one);
          if (!decision.ok) throw new Error('refused');
          presence = decision.state;
          events.push(...decision.events);
          const said =
            presence.status !== before.status || presence.statusInDoNotDisturb !== before.statusInDoNotDisturb;
          if (!said && decision.events.length > 0) throw new Error('an event that tells nothing');
          // `expect` would take longer than all the rest.
          const shown = `${presence.status} ${presence.statusInDoNotDisturb} ${presence.due?.at.getTime() ?? null}`;
          const recomputed = `${recompute(false)} ${recompute(true)} ${nextEnd()}`;
          if (shown !== recomputed) throw new Error(`shown ${shown}, recomputed ${recomputed}`);
        }
      }
      const versions = events.map((event) => event.presence.version);
      expect(versions).toEqual([...new Set(versions)].sort((a, b) => a - b));

      function apply(one: Signal): ReturnType<typeof hold> {
        switch (one.do) {
          case 'hold':
            model.ends.set(`${one.kind} ${one.id}`, now.getTime() + LEASE_MS);
            if (one.kind === 'session') model.pending = false;
            return hold(presence, held(one.kind, one.id, now), now);
          case 'release':
            model.ends.delete(`${one.kind} ${one.id}`);
            return release(presence, one, now);
          case 'disturb':
            model.disturb = one.on;
            cancelRings();
            return hearFacts(presence, { doNotDisturb: one.on, invitationPending: model.pending }, now);
          case 'sign_in':
            model.pending = false;
            cancelRings();
            return hearFacts(presence, { doNotDisturb: model.disturb, invitationPending: false }, now);
          case 'wait':
            now = new Date(now.getTime() + one.secs * 1000);
            return expire(presence, now);
        }
      }
      function cancelRings(): void {
        if (model.disturb) for (const key of model.ends.keys()) if (key.startsWith('ring')) model.ends.delete(key);
      }
      function live(): [string, number][] {
        return [...model.ends].filter(([, end]) => end > now.getTime());
      }
      function nextEnd(): number | null {
        return live().length === 0 ? null : Math.min(...live().map(([, end]) => end));
      }
      function recompute(disturb: boolean): Status {
        const has = (wanted: string) => live().some(([key]) => key.startsWith(wanted));
        if (has('conversation')) return 'on_call';
        if (disturb) return 'do_not_disturb';
        if (has('ring_offer')) return 'ringing';
        return has('session') && !model.pending ? 'available' : 'logged_out';
      }
    }),
    { numRuns: 10, endOnFailure: true },
  );
});
