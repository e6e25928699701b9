import { describe, expect, it } from '@jest/globals';
import { atRiskNumbers, expireDoNotDisturb, setDoNotDisturb, setOthersDoNotDisturb } from './do-not-disturb.ts';
import { addLease, type EmployeePresence, type LeaseKey, newPresence, type Status } from './presence.ts';

const now = new Date('2026-01-05T09:00:00Z');
const moment = { now, machineNow: now };
const inAnHour = new Date('2026-01-05T10:00:00Z');
const on = (expiresAt: Date | null = null) => ({ enabled: true, expiresAt }) as const;
const off = { enabled: false } as const;

function presence(...leases: LeaseKey['kind'][]): EmployeePresence {
  const flags = { invitationPending: false, emailConfirmationPending: false, callWaiting: false };
  const record = { name: 'Emma', email: 'e@example.com', phone: null, ...flags, revision: 1 };
  let current = newPresence({ id: 'emp_1', companyId: 'com_1' }, { ...record, createdAt: now, updatedAt: now });
  for (const kind of leases) {
    const decision = addLease(current, { kind, id: `${kind}_1`, until: inAnHour }, moment);
    if (!decision.ok) throw new Error(decision.refusal.message);
    current = decision.state;
  }
  return current;
}
function enabled(expiresAt: Date | null = null, ...leases: LeaseKey['kind'][]): EmployeePresence {
  const decision = setDoNotDisturb(presence(...leases), on(expiresAt), moment);
  if (!decision.ok) throw new Error(decision.refusal.message);
  return decision.state;
}

describe('do-not-disturb', () => {
  it('do-not-disturb is in the audit log when somebody else changed it, also when only its end is another', () => {
    const audit = {
      type: 'employee.do_not_disturb_changed',
      object: { type: 'employee', id: 'emp_1', name: 'Emma' },
      changes: { expires_at: { from: null, to: inAnHour } },
    };
    expect(setOthersDoNotDisturb(enabled(), on(inAnHour), moment)).toMatchObject({
      events: [{ type: 'call-control.do_not_disturb.changed', employeeId: 'emp_1', audit }],
    });
    expect(setOthersDoNotDisturb(enabled(), off, moment)).toMatchObject({
      events: [
        { type: 'call-control.employee_status.changed' },
        { audit: { changes: { enabled: { from: true, to: false } } } },
      ],
    });
    expect(setOthersDoNotDisturb(enabled(), on(), moment)).toMatchObject({ events: [] });
  });

  it('do-not-disturb is enabled with a timer for its end, and disabling cancels the timer', () => {
    expect(setDoNotDisturb(presence('registration'), on(inAnHour), moment)).toMatchObject({
      state: { status: 'do_not_disturb', doNotDisturb: { activatedAt: now, expiresAt: inAnHour } },
      events: [{ type: 'call-control.employee_status.changed', presence: { status: 'do_not_disturb' } }],
      timers: { do_not_disturb_expiry: { at: inAnHour, waitMs: 3_600_000 } },
    });
    expect(setDoNotDisturb(enabled(inAnHour, 'registration'), off, moment)).toMatchObject({
      state: { status: 'available', doNotDisturb: null },
      events: [{ presence: { status: 'available' } }],
      timers: { do_not_disturb_expiry: null },
    });
  });

  it('do-not-disturb withdraws what is ringing and leaves the conversation, and reports that it was enabled during a call', () => {
    const decision = setDoNotDisturb(presence('registration', 'conversation', 'ring_offer'), on(), moment);
    expect(decision).toMatchObject({
      state: { status: 'on_call', leases: [{ kind: 'registration' }, { kind: 'conversation' }] },
      events: [{ withdrawnCallIds: ['ring_offer_1'], presence: { status: 'on_call', doNotDisturb: {} } }],
    });
  });

  it('do-not-disturb accepts no ring offer while it is enabled', () => {
    const offered = addLease(enabled(null, 'registration'), { kind: 'ring_offer', id: 'c', until: inAnHour }, moment);
    expect(offered).toMatchObject({
      state: { status: 'do_not_disturb', leases: [{ kind: 'registration' }] },
      events: [],
    });
  });

  it('do-not-disturb that is enabled already keeps its activation; another end is no change of status', () => {
    const current = enabled();
    const later = { now: new Date(now.getTime() + 1000), machineNow: now };
    expect(setDoNotDisturb(current, on(), later)).toMatchObject({ state: current, events: [], timers: {} });
    expect(setDoNotDisturb(current, on(inAnHour), later)).toMatchObject({
      state: { doNotDisturb: { activatedAt: now, expiresAt: inAnHour }, doNotDisturbChangedAt: later.now },
      events: [],
      timers: { do_not_disturb_expiry: { at: inAnHour } },
    });
    expect(setDoNotDisturb(enabled(inAnHour), on(null), later)).toMatchObject({
      timers: { do_not_disturb_expiry: null },
    });
  });

  it('do-not-disturb that is disabled already changes nothing', () => {
    const current = presence('registration');
    expect(setDoNotDisturb(current, off, moment)).toMatchObject({ state: current, events: [], timers: {} });
    expect(expireDoNotDisturb(current, moment)).toMatchObject({ state: current, events: [] });
  });

  it.each([now, new Date(0)])('do-not-disturb does not end before it begins (%s)', (expiresAt) => {
    expect(setDoNotDisturb(presence(), on(expiresAt), moment)).toMatchObject({
      ok: false,
      refusal: { fields: { expires_at: ['must be in the future'] } },
    });
  });

  it('do-not-disturb ends with its timer', () => {
    expect(expireDoNotDisturb(enabled(inAnHour, 'registration'), { now: inAnHour, machineNow: now })).toMatchObject({
      state: { doNotDisturb: null, status: 'available', doNotDisturbChangedAt: inAnHour },
      events: [{ presence: { status: 'available' } }],
    });
  });
});

describe('a number at risk', () => {
  const numbers = [
    { id: 'bus_1', name: 'Alone', incomingCallEmployeeIds: ['me'] },
    { id: 'bus_2', name: 'Shared', incomingCallEmployeeIds: ['me', 'you', 'them'] },
    { id: 'bus_3', name: 'Not mine', incomingCallEmployeeIds: ['you'] },
  ];

  it.each<[Status, Status, string[]]>([
    ['available', 'logged_out', ['Alone']],
    ['ringing', 'do_not_disturb', ['Alone']],
    ['logged_out', 'on_call', ['Alone']],
    ['logged_out', 'do_not_disturb', ['Alone', 'Shared']],
  ])('the numbers at risk with the others %s and %s are %j', (you, them, names) => {
    const status = (id: string) => (id === 'you' ? you : id === 'them' ? them : 'available');
    expect(atRiskNumbers('me', numbers, status).map(({ name }) => name)).toEqual(names);
  });
});
