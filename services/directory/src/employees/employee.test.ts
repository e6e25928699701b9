import { decided } from '@parley/errors';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { setDoNotDisturb } from '../do-not-disturb/do-not-disturb.ts';
import {
  beginLeaving,
  createEmployee,
  deleteEmployee,
  type Employee,
  type EmployeeChange,
  type EmployeeEvent,
  hearPresence,
  isLeaving,
  recordSignIn,
  stay,
  updateEmployee,
} from './employee.ts';
import { type EmployeeStatus, NEVER_SEEN, type Presence, statusOf } from './employee-status.ts';

const start = new Date('2026-01-05T09:00:00Z');
const later = new Date('2026-01-05T10:00:00Z');
const identity = { id: 'emp_1', companyId: 'com_1' };
const details = { name: 'Emma', email: 'Emma@Example.com', phone: null, invited: true };

function employee(fields: Partial<Employee> = {}): Employee {
  const decision = createEmployee(identity, details, 'DK', start);
  if (!decision.ok) throw new Error(decision.refusal.message);
  return { ...decision.state, ...fields };
}

const presence = (status: EmployeeStatus, version: number): Presence => ({
  status,
  statusInDoNotDisturb: status === 'on_call' ? 'on_call' : 'do_not_disturb',
  version,
});

describe('creating an employee', () => {
  it('keeps the address as written and compares it without its case', () => {
    expect(employee()).toMatchObject({
      email: 'Emma@Example.com',
      emailKey: 'emma@example.com',
      invitationPending: true,
    });
  });

  it.each([
    ['20 30 40 50', '+4520304050'],
    ['+1 415 555 0101', '+14155550101'],
    ['  ', null],
    [null, null],
  ])('reads the phone number %j as %j', (phone, read) => {
    const decision = createEmployee(identity, { ...details, phone }, 'DK', start);
    expect(decision).toMatchObject({ ok: true, state: { phone: read } });
  });

  it('names every wrong field at once', () => {
    const wrong = { name: ' ', email: 'x', phone: 'y', invited: true };
    const decision = createEmployee(identity, wrong, 'DK', start);
    expect(Object.keys((!decision.ok && decision.refusal.fields) || {})).toEqual(['name', 'email', 'phone']);
  });
});

describe('updating an employee', () => {
  it.each<[string, EmployeeChange, Partial<Employee>]>([
    ['a name', { name: 'Emma B' }, { name: 'Emma B' }],
    ['an address', { email: 'b@example.com' }, { email: 'b@example.com', emailKey: 'b@example.com' }],
    ['a phone', { phone: '20304050' }, { phone: '+4520304050' }],
  ])('takes %s and says so once', (_what, change, after) => {
    const expected = { ...employee(), ...after, updatedAt: later };
    expect(updateEmployee(employee(), change, 'DK', later)).toEqual(
      decided(expected, [{ type: 'directory.employee.updated', employee: expected }]),
    );
  });

  it('that changes nothing is no event', () => {
    expect(updateEmployee(employee(), { name: 'Emma' }, 'DK', later)).toEqual(decided(employee()));
  });
});

describe('an invitation', () => {
  it('ends with the first sign-in and stays ended', () => {
    const first = recordSignIn(employee(), later);
    expect(first).toMatchObject({
      state: { invitationPending: false },
      events: [{ type: 'directory.employee.updated' }],
    });
    expect(recordSignIn(employee({ invitationPending: false }), later)).toMatchObject({ events: [] });
  });
});

describe('leaving', () => {
  const until = new Date(start.getTime() + 30_000);

  it('keeps routing away until it is over, one way or the other', () => {
    const leaving = beginLeaving(employee(), until);
    if (!leaving.ok) throw new Error('refused');
    expect(isLeaving(leaving.state, start)).toBe(true);
    expect(isLeaving(leaving.state, until)).toBe(false);
    expect(deleteEmployee(leaving.state, start)).toMatchObject({
      state: null,
      events: [{ type: 'directory.employee.deleted' }],
    });
    expect(stay(leaving.state)).toMatchObject({ state: { leavingUntil: null }, events: [] });
  });

  it.each([
    ['was never begun', null, start],
    ['has run out', until, until],
  ])('that %s deletes nobody', (_case, leavingUntil, now) => {
    expect(deleteEmployee(employee({ leavingUntil }), now)).toMatchObject({ ok: false, refusal: { code: 'conflict' } });
  });
});

describe('presence', () => {
  it('is heard once: a repeated or older word changes nothing', () => {
    const first = hearPresence(employee(), presence('available', 5));
    expect(first).toMatchObject({ events: [{ type: 'directory.employee.status_changed' }] });
    if (!first.ok) throw new Error('refused');
    for (const late of [presence('available', 5), presence('on_call', 5), presence('ringing', 4)])
      expect(hearPresence(first.state, late)).toEqual(decided(first.state));
  });

  it('behind do-not-disturb is kept without a word', () => {
    const hidden = employee({ doNotDisturb: { activatedAt: start, expiresAt: null } });
    expect(hearPresence(hidden, presence('available', 1))).toMatchObject({
      events: [],
      state: { presence: { status: 'available' } },
    });
  });
});

it('two thousand signals in random order, repeated and delayed, end in what a recomputation says', () => {
  const statuses = fc.constantFrom<EmployeeStatus>('on_call', 'ringing', 'available', 'logged_out');
  const signal = fc.record({
    at: fc.integer({ min: 0, max: 3000 }),
    delay: fc.integer({ min: 0, max: 400 }),
    status: statuses,
  });
  const toggles = fc.array(fc.record({ at: fc.integer({ min: 0, max: 3400 }), on: fc.boolean() }), { maxLength: 300 });
  fc.assert(
    fc.property(fc.array(signal, { minLength: 2000, maxLength: 2000 }), toggles, (signals, switches) => {
      // What call-control says, in its order; each arrives some time later, every fifth twice.
      const said = signals
        .toSorted((a, b) => a.at - b.at)
        .map(({ at, delay, status }, index) => ({ at, arrives: at + delay, presence: presence(status, index + 1) }));
      const arrivals = said.flatMap((one, index) =>
        index % 5 === 0 ? [one, { ...one, arrives: one.arrives + 7 }] : [one],
      );
      const steps = [
        ...arrivals.map((one) => ({ at: one.arrives, heard: one.presence })),
        ...switches.map(({ at, on }) => ({ at, on })),
      ].toSorted((a, b) => a.at - b.at);
      let current = employee();
      let shown = statusOf(current);
      let disturbing = false;
      let latest: Presence = NEVER_SEEN;
      const told: EmployeeEvent[] = [];
      for (const step of steps) {
        const before = { shown, disturbing };
        let decision;
        if ('heard' in step) {
          decision = hearPresence(current, step.heard);
          if (step.heard.version > latest.version) latest = step.heard;
        } else {
          // Do-not-disturb asks call-control, so it knows what has been said by then and not only what has arrived.
          const live = said.findLast(({ at }) => at <= step.at)?.presence ?? NEVER_SEEN;
          const to = step.on ? ({ enabled: true, expiresAt: null } as const) : ({ enabled: false } as const);
          decision = setDoNotDisturb(current, to, live, start);
          if (live.version > latest.version) latest = live;
          disturbing = step.on;
        }
        if (!decision.ok) throw new Error('refused');
        current = decision.state;
        shown = statusOf(current);
        const recomputed = disturbing ? latest.statusInDoNotDisturb : latest.status;
        if (shown !== recomputed) throw new Error(`shown ${shown}, recomputed ${recomputed}`);
        // What was said before a switch is a change of its own, and the switch is another.
        const meanwhile = before.disturbing ? latest.statusInDoNotDisturb : latest.status;
        const changes = Number(meanwhile !== before.shown) + Number(disturbing !== before.disturbing);
        if (decision.events.length !== changes) throw new Error('not one event per real change');
        told.push(...decision.events);
      }
      const last = said.at(-1)?.presence ?? NEVER_SEEN;
      expect(statusOf(current)).toBe(disturbing ? last.statusInDoNotDisturb : last.status);
      expect(told.every(({ type }) => type === 'directory.employee.status_changed')).toBe(true);
    }),
    { numRuns: 20, endOnFailure: true },
  );
});
