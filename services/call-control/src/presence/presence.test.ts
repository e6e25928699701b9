import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { EmployeeRecord } from '../employees/employee-record.ts';
import { expireDoNotDisturb, setDoNotDisturb } from './do-not-disturb.ts';
import {
  addLease,
  canBeRung,
  canTakeWaitingCall,
  type EmployeePresence,
  endLeases,
  endPresence,
  expireLeases,
  forwardOf,
  isSame,
  type LeaseKey,
  type Moment,
  newPresence,
  otherConversations,
  type PresenceDecision,
  type PresenceLease,
  recordEmployee,
  renewLeases,
  type Signals,
  type Status,
  statusOf,
} from './presence.ts';

const LEASE_MS = 20_000;
const start = new Date('2026-01-05T09:00:00Z');
const seconds = (secs: number) => new Date(start.getTime() + secs * 1000);
const at = (secs: number): Moment => ({ now: seconds(secs), machineNow: seconds(secs) });
const record = (fields: Partial<EmployeeRecord> = {}): EmployeeRecord => ({
  name: 'Emma',
  email: 'emma@example.com',
  phone: null,
  invitationPending: false,
  emailConfirmationPending: false,
  callWaiting: false,
  createdAt: start,
  updatedAt: start,
  revision: 1,
  ...fields,
});
const fresh = (fields: Partial<EmployeeRecord> = {}) =>
  newPresence({ id: 'emp_1', companyId: 'com_1' }, record(fields));
const lease = (kind: LeaseKey['kind'], id: string, secs: number): PresenceLease => ({
  kind,
  id,
  until: new Date(seconds(secs).getTime() + LEASE_MS),
});
const end = (presence: EmployeePresence, ended: LeaseKey, secs = 0) =>
  endLeases(presence, (one) => isSame(one, ended), at(secs));

function accepted(decision: PresenceDecision) {
  if (!decision.ok) throw new Error(decision.refusal.message);
  return decision;
}
const state = (decision: PresenceDecision) => accepted(decision).state;
const withLeases = (...leases: [LeaseKey['kind'], string][]) =>
  leases.reduce((presence, [kind, id]) => state(addLease(presence, lease(kind, id, 0), at(0))), fresh());

describe('call waiting', () => {
  const talking = [
    ['registration', 'a'],
    ['conversation', 'one'],
  ] as [LeaseKey['kind'], string][];
  const on = (...leases: [LeaseKey['kind'], string][]) => ({
    ...withLeases(...leases),
    employee: record({ callWaiting: true }),
  });

  it('call waiting lets one more call ring at somebody in a conversation', () => {
    expect(canTakeWaitingCall(withLeases(['registration', 'a']))).toBe(true);
    expect(canTakeWaitingCall(withLeases(...talking))).toBe(false);
    expect(canTakeWaitingCall(on(...talking))).toBe(true);
    expect(canTakeWaitingCall(on(...talking, ['ring_offer', 'two']))).toBe(false);
    expect(canTakeWaitingCall(on(...talking, ['conversation', 'two']))).toBe(false);
    expect(canTakeWaitingCall(on(['conversation', 'one']))).toBe(false);
    const quiet = { ...on(...talking), doNotDisturb: { activatedAt: start, expiresAt: null } };
    expect(canTakeWaitingCall(quiet)).toBe(false);
    expect(otherConversations(on(...talking, ['conversation', 'two']), 'two')).toEqual(['one']);
  });
});

describe('an employee whose calls are forwarded', () => {
  const heard = (fields: Partial<EmployeeRecord>, revision: number) => record({ ...fields, revision });

  it('an employee whose calls are forwarded can be reached without a phone, and is rung outside only then', () => {
    let presence = state(recordEmployee(fresh(), heard({ forwardTo: '+4520304050' }, 2), at(0)));
    expect([presence.status, forwardOf(presence)]).toEqual(['available', '+4520304050']);
    presence = state(addLease(presence, lease('registration', 'a', 1), at(1)));
    expect([presence.status, forwardOf(presence)]).toEqual(['available', undefined]);
    presence = state(end(presence, { kind: 'registration', id: 'a' }));
    presence = state(recordEmployee(presence, heard({}, 3), at(0)));
    expect([presence.status, forwardOf(presence)]).toEqual(['logged_out', undefined]);
    expect(canBeRung(presence)).toBe(false);
  });

  it('an employee whose calls are forwarded is rung outside before the first sign-in, too', () => {
    const invited = heard({ forwardTo: '+4520304050', invitationPending: true }, 2);
    const presence = state(recordEmployee({ ...fresh(), employee: invited }, invited, at(0)));
    expect([presence.status, forwardOf(presence), canBeRung(presence)]).toEqual(['logged_out', '+4520304050', true]);
  });
});

describe('presence', () => {
  it('presence has the time its status became what it is', () => {
    const available = state(addLease(fresh(), lease('registration', 'a', 1), at(1)));
    expect(available.statusSince).toEqual(seconds(1));
    const renewed = state(renewLeases(available, [{ kind: 'registration', id: 'a' }], seconds(90), at(5)));
    expect(renewed.statusSince).toEqual(seconds(1));
    expect(state(addLease(renewed, lease('conversation', 'b', 7), at(7))).statusSince).toEqual(seconds(7));
  });

  it('presence is available with a registered phone and logged out when the last one has ended', () => {
    let presence = withLeases(['registration', 'a'], ['registration', 'b']);
    expect(presence.status).toBe('available');
    presence = state(end(presence, { kind: 'registration', id: 'a' }));
    expect(presence.status).toBe('available');
    expect(accepted(end(presence, { kind: 'registration', id: 'b' }))).toMatchObject({
      state: { status: 'logged_out', leases: [] },
      events: [{ type: 'call-control.employee_status.changed', presence: { status: 'logged_out' } }],
      timers: { lease_expiry: null },
    });
  });

  it('presence is idle since the last conversation ended, and since a phone registered', () => {
    const registration = { kind: 'registration', id: 'a' } as const;
    const conversation = { kind: 'conversation', id: 'call_1' } as const;
    let presence = state(addLease(fresh(), lease('registration', 'a', 10), at(10)));
    expect(presence.idleSince).toEqual(seconds(10));
    presence = state(addLease(presence, lease('registration', 'b', 12), at(12)));
    presence = state(addLease(presence, lease('ring_offer', 'call_1', 14), at(14)));
    presence = state(addLease(presence, lease('conversation', 'call_1', 15), at(15)));
    presence = state(end(presence, { kind: 'ring_offer', id: 'call_1' }, 15));
    expect(presence.idleSince).toEqual(seconds(10));
    presence = state(end(presence, conversation, 18));
    expect(presence.idleSince).toEqual(seconds(18));
    presence = state(end(presence, registration, 19));
    expect(presence.idleSince).toEqual(seconds(18));
  });

  it('presence ends with a lease that is not renewed, at exactly that moment', () => {
    const added = accepted(addLease(fresh(), lease('registration', 'a', 0), at(0)));
    expect(added.timers).toEqual({ lease_expiry: { at: seconds(20), waitMs: LEASE_MS } });
    expect(state(expireLeases(added.state, at(19), start)).status).toBe('available');
    expect(state(expireLeases(added.state, at(20), start)).status).toBe('logged_out');
  });

  it('conversations and ring offers expire like a registration', () => {
    let presence = state(addLease(fresh(), lease('conversation', 'call_1', 0), at(0)));
    presence = state(addLease(presence, lease('ring_offer', 'call_2', 5), at(5)));
    expect(presence.status).toBe('on_call');
    const expired = accepted(expireLeases(presence, at(21), start));
    expect([expired.state.status, expired.timers.lease_expiry?.at]).toEqual(['ringing', seconds(25)]);
    expect(state(expireLeases(expired.state, at(25), start)).status).toBe('logged_out');
  });

  it('presence does not expire while the owners of the leases may still be starting', () => {
    const presence = withLeases(['registration', 'a']);
    expect(accepted(expireLeases(presence, at(60), seconds(70)))).toMatchObject({
      state: { status: 'available' },
      events: [],
      timers: { lease_expiry: { at: seconds(70), waitMs: 10_000 } },
    });
  });

  it('presence is not ended by another change after the lease has run out: only the timer ends it', () => {
    const late = state(recordEmployee(withLeases(['conversation', 'c']), record({ name: 'Eva', revision: 2 }), at(60)));
    expect([late.status, late.employee.name]).toEqual(['on_call', 'Eva']);
  });

  it('a renewal moves the end and emits nothing', () => {
    const renewed = renewLeases(
      withLeases(['registration', 'a']),
      [{ kind: 'registration', id: 'a' }],
      seconds(30),
      at(10),
    );
    expect(renewed).toMatchObject({
      events: [],
      state: { leases: [{ until: seconds(30) }] },
      timers: { lease_expiry: { at: seconds(30), waitMs: LEASE_MS } },
    });
    const unknown = renewLeases(
      withLeases(['registration', 'a']),
      [{ kind: 'registration', id: 'b' }],
      seconds(30),
      at(10),
    );
    expect(state(unknown).leases.map(({ id }) => id)).toEqual(['a']);
  });

  it('a registration ends a pending invitation; a conversation does not; an older record does not bring it back', () => {
    const pending = fresh({ invitationPending: true });
    expect(state(addLease(pending, lease('conversation', 'c', 0), at(0))).employee.invitationPending).toBe(true);
    const registered = state(addLease(pending, lease('registration', 'a', 0), at(0)));
    expect([registered.employee.invitationPending, registered.status]).toEqual([false, 'available']);
    const late = recordEmployee(registered, record({ invitationPending: true, name: 'Eva', revision: 2 }), at(0));
    expect(state(late)).toMatchObject({ status: 'available', employee: { name: 'Eva', invitationPending: false } });
  });

  it('presence keeps the newer of two records', () => {
    const current = fresh({ name: 'New', revision: 5 });
    expect(state(recordEmployee(current, record({ name: 'Old', revision: 4 }), at(0))).employee.name).toBe('New');
    expect(state(recordEmployee(current, record({ name: 'Newest', revision: 6 }), at(0))).employee.name).toBe('Newest');
  });

  it('presence is bounded', () => {
    const many = withLeases(
      ...Array.from({ length: 100 }, (_, index) => ['registration', `r${index}`] as [LeaseKey['kind'], string]),
    );
    expect(addLease(many, lease('registration', 'one more', 0), at(0))).toMatchObject({ ok: false });
    expect(addLease(many, lease('registration', 'r7', 0), at(0))).toMatchObject({ ok: true });
  });

  it('presence of a deleted employee ends with what was ringing', () => {
    const presence = withLeases(['registration', 'a'], ['ring_offer', 'call_1']);
    expect(endPresence(presence)).toMatchObject({
      state: null,
      events: [{ type: 'call-control.employee_status.ended', withdrawnCallIds: ['call_1'] }],
    });
  });
});

type Signal =
  | { do: 'add' | 'end'; kind: LeaseKey['kind']; id: string }
  | { do: 'disturb'; on: boolean; forSecs: number | null }
  | { do: 'wait'; secs: number };

const kind = fc.constantFrom('registration' as const, 'conversation' as const, 'ring_offer' as const);
const signal: fc.Arbitrary<Signal> = fc.oneof(
  fc.record({ do: fc.constantFrom('add' as const, 'end' as const), kind, id: fc.constantFrom('a', 'b') }),
  fc.record({
    do: fc.constant('disturb' as const),
    on: fc.boolean(),
    forSecs: fc.option(fc.integer({ min: 1, max: 60 })),
  }),
  fc.record({ do: fc.constant('wait' as const), secs: fc.integer({ min: 1, max: 30 }) }),
);

it('after two thousand random signals, some repeated, every status equals a recomputation and every event reports a change', () => {
  fc.assert(
    fc.property(fc.array(signal, { minLength: 2000, maxLength: 2000 }), fc.boolean(), (signals, pending) => {
      let secs = 0;
      let presence = fresh({ invitationPending: pending });
      const model = { ends: new Map<string, number>(), disturb: false, disturbEnd: null as number | null, pending };
      const timers: Record<string, Date | null> = {};
      let emitted = 0;
      for (const [index, one] of signals.entries()) {
        // Every third signal arrives twice.
        for (let times = index % 3 === 0 ? 2 : 1; times > 0; times -= 1) {
          const before = presence;
          apply(one);
          fireTimers();
          if (presence.status !== recompute()) throw new Error(`${presence.status}, recomputed ${recompute()}`);
          const reported = presence.status !== before.status || !presence.doNotDisturb !== !before.doNotDisturb;
          if (one.do !== 'wait' && !reported && emitted > 0) throw new Error('an event that reports nothing');
          emitted = 0;
        }
      }

      function take(decision: PresenceDecision): void {
        const { state: next, events, timers: changes } = accepted(decision);
        presence = next;
        emitted += events.length;
        for (const [name, due] of Object.entries(changes)) timers[name] = due?.at ?? null;
      }
      function fireTimers(): void {
        for (const [name, due] of Object.entries(timers)) {
          if (!due || due > seconds(secs)) continue;
          timers[name] = null;
          take(
            name === 'lease_expiry' ? expireLeases(presence, at(secs), start) : expireDoNotDisturb(presence, at(secs)),
          );
        }
      }
      function apply(one: Signal): void {
        switch (one.do) {
          case 'add':
            if (one.kind === 'ring_offer' && model.disturb)
              return take(addLease(presence, lease(one.kind, one.id, secs), at(secs)));
            model.ends.set(`${one.kind} ${one.id}`, secs + LEASE_MS / 1000);
            if (one.kind === 'registration') model.pending = false;
            return take(addLease(presence, lease(one.kind, one.id, secs), at(secs)));
          case 'end':
            model.ends.delete(`${one.kind} ${one.id}`);
            return take(end(presence, one, secs));
          case 'disturb': {
            model.disturb = one.on;
            model.disturbEnd = one.on && one.forSecs !== null ? secs + one.forSecs : null;
            if (one.on) for (const key of model.ends.keys()) if (key.startsWith('ring')) model.ends.delete(key);
            const expiresAt = one.forSecs === null ? null : seconds(secs + one.forSecs);
            return take(
              setDoNotDisturb(presence, one.on ? { enabled: true, expiresAt } : { enabled: false }, at(secs)),
            );
          }
          case 'wait':
            secs += one.secs;
        }
      }
      function recompute(): Status {
        const has = (wanted: string) => [...model.ends].some(([key, until]) => key.startsWith(wanted) && until > secs);
        if (model.disturbEnd !== null && model.disturbEnd <= secs) model.disturb = false;
        if (has('conversation')) return 'on_call';
        if (model.disturb) return 'do_not_disturb';
        if (has('ring_offer')) return 'ringing';
        return has('registration') && !model.pending ? 'available' : 'logged_out';
      }
    }),
    { numRuns: 10, endOnFailure: true },
  );
});

describe('the presence of a deactivated employee', () => {
  const later = { deactivatedAt: start, revision: 2 };
  const deactivated = (presence: EmployeePresence, fields: Partial<EmployeeRecord> = {}) =>
    recordEmployee(presence, record({ ...fields, ...later }), at(0));

  it('the presence of a deactivated employee is logged out at once, and the offers to them are withdrawn', () => {
    const decision = deactivated(withLeases(['registration', 'a'], ['ring_offer', 'one'], ['conversation', 'two']));
    expect(accepted(decision)).toMatchObject({
      state: { status: 'logged_out', leases: [{ kind: 'registration' }, { kind: 'conversation' }] },
      events: [{ type: 'call-control.employee_status.changed', withdrawnCallIds: ['one'] }],
    });
  });

  it('the presence of a deactivated employee withdraws an offer to a phone outside, although the status stays', () => {
    const ringing = state(
      addLease(fresh({ forwardTo: '+4520304050', invitationPending: true }), lease('ring_offer', 'one', 0), at(0)),
    );
    const { state: after, events } = accepted(deactivated(ringing, { forwardTo: '+4520304050' }));
    expect(after).toMatchObject({ status: 'logged_out', leases: [] });
    expect(events).toMatchObject([{ withdrawnCallIds: ['one'] }]);
  });

  it.each<[string, Partial<EmployeeRecord>, [LeaseKey['kind'], string][]]>([
    ['a registered phone', {}, [['registration', 'a']]],
    ['a phone outside', { forwardTo: '+4520304050' }, []],
    [
      'call waiting',
      { callWaiting: true },
      [
        ['registration', 'a'],
        ['conversation', 'one'],
      ],
    ],
  ])('the presence of a deactivated employee with %s is never rung', (_case, fields, leases) => {
    const presence = state(deactivated(withLeases(...leases), fields));
    expect([canBeRung(presence), canTakeWaitingCall(presence), forwardOf(presence)]).toEqual([false, false, undefined]);
    expect(state(addLease(presence, lease('ring_offer', 'x', 0), at(0))).leases).toEqual(presence.leases);
    expect(addLease(presence, lease('registration', 'b', 0), at(0))).toMatchObject({ refusal: { code: 'not_found' } });
  });

  it('the presence of a deactivated employee is as before once they are active again, without the phones', () => {
    const again = recordEmployee(state(deactivated(fresh())), record({ revision: 3 }), at(1));
    expect(canBeRung(state(again))).toBe(false);
    expect(state(addLease(state(again), lease('registration', 'a', 1), at(1))).status).toBe('available');
    const late = recordEmployee(state(again), record(later), at(2));
    expect(state(late).employee.deactivatedAt).toBeUndefined();
  });
});

const nothing: Signals = {
  active: true,
  onCall: false,
  doNotDisturb: false,
  ringing: false,
  reachable: false,
  invitationPending: false,
};

describe('the status of an employee', () => {
  it.each<[Status, Partial<Signals>]>([
    ['logged_out', {}],
    ['logged_out', { invitationPending: true }],
    ['logged_out', { active: false, onCall: true, doNotDisturb: true, ringing: true, reachable: true }],
    ['logged_out', { reachable: true, invitationPending: true }],
    ['available', { reachable: true }],
    ['ringing', { reachable: true, ringing: true }],
    ['ringing', { ringing: true }],
    ['do_not_disturb', { doNotDisturb: true }],
    ['do_not_disturb', { doNotDisturb: true, reachable: true, ringing: true }],
    ['do_not_disturb', { doNotDisturb: true, invitationPending: true }],
    ['on_call', { onCall: true }],
    ['on_call', { onCall: true, doNotDisturb: true, ringing: true, reachable: true }],
  ])('the status of an employee is %s with %j', (status, signals) => {
    expect(statusOf({ ...nothing, ...signals })).toBe(status);
  });

  it('the status of an employee follows the precedence whatever else is signalled', () => {
    for (let bits = 0; bits < 64; bits += 1) {
      const signals = {
        onCall: (bits & 1) > 0,
        doNotDisturb: (bits & 2) > 0,
        ringing: (bits & 4) > 0,
        reachable: (bits & 8) > 0,
        invitationPending: (bits & 16) > 0,
        active: (bits & 32) > 0,
      };
      const ranked: [boolean, Status][] = [
        [!signals.active, 'logged_out'],
        [signals.onCall, 'on_call'],
        [signals.doNotDisturb, 'do_not_disturb'],
        [signals.ringing, 'ringing'],
        [signals.reachable && !signals.invitationPending, 'available'],
        [true, 'logged_out'],
      ];
      expect(statusOf(signals)).toBe(ranked.find(([holds]) => holds)?.[1]);
    }
  });
});
