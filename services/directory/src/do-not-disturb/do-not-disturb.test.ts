import { describe, expect, it } from '@jest/globals';
import { createEmployee, type Employee } from '../employees/employee.ts';
import { CANNOT_SAY, type EmployeeStatus, NEVER_SEEN, type Presence, statusOf } from '../employees/employee-status.ts';
import { atRiskNumbers, expireDoNotDisturb, setDoNotDisturb } from './do-not-disturb.ts';

const now = new Date('2026-01-05T09:00:00Z');
const inAnHour = new Date('2026-01-05T10:00:00Z');
const onCall: Presence = { status: 'on_call', statusInDoNotDisturb: 'on_call', version: 3 };
const on = (expiresAt: Date | null = null) => ({ enabled: true, expiresAt }) as const;
const off = { enabled: false } as const;

function employee(fields: Partial<Employee> = {}): Employee {
  const details = { name: 'Emma', email: 'e@example.com', phone: null, invited: false };
  const decision = createEmployee({ id: 'emp_1', companyId: 'com_1' }, details, 'DK', now);
  if (!decision.ok) throw new Error(decision.refusal.message);
  return { ...decision.state, ...fields };
}

describe('do-not-disturb', () => {
  it('is switched on with a plan for its end, and off without one', () => {
    const switched = setDoNotDisturb(employee(), on(inAnHour), NEVER_SEEN, now);
    expect(switched).toMatchObject({
      state: {
        doNotDisturb: { activatedAt: now, expiresAt: inAnHour },
        due: { at: inAnHour, waitMs: 3_600_000 },
      },
      events: [{ type: 'directory.employee.status_changed' }],
    });
    if (!switched.ok) throw new Error('refused');
    const back = setDoNotDisturb(switched.state, off, NEVER_SEEN, inAnHour);
    expect(back).toMatchObject({ state: { doNotDisturb: null, due: null }, events: [{}] });
  });

  it('during a call keeps on_call and still says that it was switched', () => {
    const decision = setDoNotDisturb(employee(), on(), onCall, now);
    if (!decision.ok) throw new Error('refused');
    const statuses = decision.events.map(({ employee: told }) => statusOf(told));
    expect([statusOf(decision.state), statuses]).toEqual(['on_call', ['on_call', 'on_call']]);
  });

  it('tells first what had happened before it was switched', () => {
    const available: Presence = { status: 'available', statusInDoNotDisturb: 'do_not_disturb', version: 1 };
    const told = (decision: ReturnType<typeof setDoNotDisturb>) =>
      decision.ok ? decision.events.map(({ employee: one }) => statusOf(one)) : undefined;
    const switchedOn = setDoNotDisturb(employee(), on(), available, now);
    expect(told(switchedOn)).toEqual(['available', 'do_not_disturb']);
    const disturbed = employee({ doNotDisturb: { activatedAt: now, expiresAt: null } });
    expect(told(setDoNotDisturb(disturbed, off, available, now))).toEqual(['available']);
    const ending = { ...disturbed, due: { at: now, waitMs: 0 } };
    expect(told(expireDoNotDisturb(ending, available, now))).toEqual(['available']);
  });

  it('that is on already keeps its moment; another end is no change of status', () => {
    const current = employee({ doNotDisturb: { activatedAt: now, expiresAt: null } });
    expect(setDoNotDisturb(current, on(), NEVER_SEEN, inAnHour)).toMatchObject({ state: current, events: [] });
    const longer = setDoNotDisturb(current, on(inAnHour), NEVER_SEEN, now);
    expect(longer).toMatchObject({
      state: { doNotDisturb: { activatedAt: now, expiresAt: inAnHour } },
      events: [{ type: 'directory.employee.updated' }],
    });
  });

  it('that is off already still hears what call-control says', () => {
    const decision = setDoNotDisturb(employee(), off, onCall, now);
    expect(decision).toMatchObject({
      state: { presence: onCall },
      events: [{ type: 'directory.employee.status_changed' }],
    });
    expect(setDoNotDisturb(employee(), off, CANNOT_SAY, now)).toMatchObject({
      state: { presence: NEVER_SEEN },
      events: [],
    });
  });

  it.each([now, new Date(0)])('does not end before it begins (%s)', (expiresAt) => {
    expect(setDoNotDisturb(employee(), on(expiresAt), NEVER_SEEN, now)).toMatchObject({
      ok: false,
      refusal: { fields: { expires_at: ['must be in the future'] } },
    });
  });

  it('ends when its plan says so, and not when the plan was made anew meanwhile', () => {
    const current = employee({
      doNotDisturb: { activatedAt: now, expiresAt: inAnHour },
      due: { at: inAnHour, waitMs: 3_600_000 },
    });
    expect(expireDoNotDisturb(current, NEVER_SEEN, now)).toMatchObject({ state: { doNotDisturb: {} }, events: [] });
    expect(expireDoNotDisturb(current, NEVER_SEEN, inAnHour)).toMatchObject({
      state: { doNotDisturb: null, due: null },
      events: [{}],
    });
  });
});

describe('a number at risk', () => {
  const numbers = [
    { id: 'bus_1', name: 'Alone', incomingCallEmployeeIds: ['me'] },
    { id: 'bus_2', name: 'Shared', incomingCallEmployeeIds: ['me', 'you', 'them'] },
    { id: 'bus_3', name: 'Not mine', incomingCallEmployeeIds: ['you'] },
  ];

  it.each<[EmployeeStatus, EmployeeStatus, string[]]>([
    ['available', 'logged_out', ['Alone']],
    ['ringing', 'do_not_disturb', ['Alone']],
    ['logged_out', 'on_call', ['Alone']],
    ['logged_out', 'do_not_disturb', ['Alone', 'Shared']],
    ['unknown', 'unknown', ['Alone', 'Shared']],
  ])('with the others %s and %s is %j', (you, them, names) => {
    const status = (id: string) => (id === 'you' ? you : id === 'them' ? them : 'available');
    expect(atRiskNumbers('me', numbers, status).map(({ name }) => name)).toEqual(names);
  });
});
