import type { Audited } from '@parley/actor';
import { decided, type Decision, notFound, refusal, refused } from '@parley/errors';
import { dueIn } from '@parley/aggregates';
import { type EmployeeRecord, newerRecord } from '../employees/employee-record.ts';

/** The kind of a lease, and the id of the registration or call it belongs to. */
export interface LeaseKey {
  readonly kind: 'registration' | 'conversation' | 'ring_offer';
  readonly id: string;
}

/**
 * A signal that applies until it ends or is not renewed in time: a phone's registration, a conversation, a ring offer.
 * The lease of a crashed owner lasts for one period at most. `until` is by the machine's clock: leases protect against stopped processes,
 * so moving the test clock ends no call.
 */
export interface PresenceLease extends LeaseKey {
  readonly until: Date;
  /** The address at which the phone is rung; present in registrations at a switch. */
  readonly contact?: RegisteredContact;
}

/** A phone's registration at a switch. */
export interface RegisteredContact {
  readonly switchName: string;
  /** SIP Call-ID of the registration: the switch identifies the registration by it. */
  readonly callId: string;
  /** SIP address to ring. */
  readonly address: string;
  /** The credential it registered with; null for phones that need none. */
  readonly softphoneSessionId: string | null;
}

interface DoNotDisturb {
  readonly activatedAt: Date;
  /** Null: without end. */
  readonly expiresAt: Date | null;
}

/** An employee's presence; its id is the employee's. */
export interface EmployeePresence {
  readonly id: string;
  readonly companyId: string;
  readonly employee: EmployeeRecord;
  readonly leases: readonly PresenceLease[];
  readonly doNotDisturb: DoNotDisturb | null;
  /** When do-not-disturb was last enabled, disabled or given another end; null if never. */
  readonly doNotDisturbChangedAt: Date | null;
  /** The last published status. */
  readonly status: Status;
  /** When it became this; absent before its first change. */
  readonly statusSince?: Date;
  /** When the last conversation ended, or the first phone registered after that; absent before. */
  readonly idleSince?: Date;
}

export type PresenceEvent =
  | {
      readonly type: 'call-control.employee_status.changed';
      readonly presence: EmployeePresence;
      /** Calls that must stop ringing at the employee. */
      readonly withdrawnCallIds: readonly string[];
    }
  | {
      /** The employee was deleted. */
      readonly type: 'call-control.employee_status.ended';
      readonly presence: EmployeePresence;
      readonly withdrawnCallIds: readonly string[];
    }
  | ({
      /** Emitted when somebody else changes it. */
      readonly type: 'call-control.do_not_disturb.changed';
      readonly employeeId: string;
    } & Audited);

export type PresenceTimer = 'lease_expiry' | 'do_not_disturb_expiry';

export type PresenceDecision = Decision<EmployeePresence, PresenceEvent, never, PresenceTimer>;

/** The same moment on two clocks: the product's, which tests move, and the machine's, which leases follow. */
export interface Moment {
  readonly now: Date;
  readonly machineNow: Date;
}

/** Far more than the phones and calls of an employee; bounds the document. */
const LEASES_MAX = 100;

export function newPresence(identity: { id: string; companyId: string }, employee: EmployeeRecord): EmployeePresence {
  return {
    id: identity.id,
    companyId: identity.companyId,
    employee,
    leases: [],
    doNotDisturb: null,
    doNotDisturbChangedAt: null,
    status: 'logged_out',
  };
}

/** Whoever is deactivated is logged out, whatever phones or settings there are. */
export function isActive({ employee }: Pick<EmployeePresence, 'employee'>): boolean {
  return employee.deactivatedAt === undefined;
}

/**
 * Adds or renews a lease. A phone that registers has signed in, so a registration ends a pending invitation. A ring
 * offer is not added while do-not-disturb is enabled. Nobody deactivated has a phone.
 */
export function addLease(current: EmployeePresence, lease: PresenceLease, moment: Moment): PresenceDecision {
  if (lease.kind === 'registration' && !isActive(current)) return refused(notFound);
  if (lease.kind === 'ring_offer' && (current.doNotDisturb || !isActive(current)))
    return settle(current, current, moment);
  const others = current.leases.filter((one) => !isSame(one, lease));
  if (others.length >= LEASES_MAX)
    return refused(refusal('limit_reached', `an employee has at most ${LEASES_MAX} registrations and calls`));
  const employee =
    lease.kind === 'registration' && current.employee.invitationPending
      ? { ...current.employee, invitationPending: false }
      : current.employee;
  return settle(current, { ...current, leases: [...others, lease], employee }, moment);
}

/** Renews leases that are still there; the others have ended and stay so. */
export function renewLeases(
  current: EmployeePresence,
  renewed: readonly LeaseKey[],
  until: Date,
  moment: Moment,
): PresenceDecision {
  const leases = current.leases.map((lease) =>
    renewed.some((one) => isSame(one, lease)) ? { ...lease, until } : lease,
  );
  return settle(current, { ...current, leases }, moment);
}

/** Ends leases; one that is not there has ended already. */
export function endLeases(
  current: EmployeePresence,
  ended: (lease: PresenceLease) => boolean,
  moment: Moment,
): PresenceDecision {
  return settle(current, { ...current, leases: current.leases.filter((lease) => !ended(lease)) }, moment);
}

/**
 * Ends leases that were not renewed in time. Owners that were down together with this process need one lease period to
 * renew after the restart, so nothing expires before `notBefore`.
 */
export function expireLeases(current: EmployeePresence, moment: Moment, notBefore: Date): PresenceDecision {
  if (moment.machineNow < notBefore) {
    const waitMs = notBefore.getTime() - moment.machineNow.getTime();
    return decided(current, [], { timers: { lease_expiry: dueIn(moment.now, waitMs) } });
  }
  const decision = endLeases(current, ({ until }) => until <= moment.machineNow, moment);
  // Also when nothing expired: the fired timer was removed.
  return decision.ok ? { ...decision, timers: { lease_expiry: nextExpiry(decision.state, moment) } } : decision;
}

/** Takes a copy of directory's record, unless the known one is newer. Nothing rings an employee who is deactivated. */
export function recordEmployee(current: EmployeePresence, heard: EmployeeRecord, moment: Moment): PresenceDecision {
  const after = { ...current, employee: newerRecord(current.employee, heard) };
  const leases = isActive(after) ? after.leases : after.leases.filter(({ kind }) => kind !== 'ring_offer');
  return settle(current, { ...after, leases }, moment);
}

/** The employee was deleted. */
export function endPresence(current: EmployeePresence): Decision<null, PresenceEvent, never, PresenceTimer> {
  const withdrawnCallIds = ringOfferIds(current);
  const presence: EmployeePresence = { ...current, leases: [], doNotDisturb: null, status: 'logged_out' };
  return decided(null, [{ type: 'call-control.employee_status.ended', presence, withdrawnCallIds }]);
}

/** The phone that is rung for an employee without a registered phone; undefined for one who has a phone, is not forwarded or not active. */
export function forwardOf(presence: EmployeePresence): string | undefined {
  const { leases, employee } = presence;
  if (!isActive(presence)) return undefined;
  return leases.some(({ kind }) => kind === 'registration') ? undefined : employee.forwardTo;
}

export function isSame(left: LeaseKey, right: LeaseKey): boolean {
  return left.kind === right.kind && left.id === right.id;
}

/** The calls that are being offered to the employee. */
function ringOfferIds({ leases }: Pick<EmployeePresence, 'leases'>): string[] {
  return leases.filter(({ kind }) => kind === 'ring_offer').map(({ id }) => id);
}

/** An employee who has not signed in yet is rung through `forwardTo`. */
export function canBeRung(presence: EmployeePresence): boolean {
  const { status, employee } = presence;
  if (!isActive(presence)) return false;
  return status === 'available' || (status === 'logged_out' && employee.forwardTo !== undefined);
}

/** True for an employee who can be rung, or is in one conversation with call waiting. */
export function canTakeWaitingCall(presence: EmployeePresence): boolean {
  if (canBeRung(presence)) return true;
  const { onCall, ringing, reachable, doNotDisturb } = signalsOf(presence);
  const conversations = presence.leases.filter(({ kind }) => kind === 'conversation').length;
  const isAbleToSwitch = isActive(presence) && onCall && conversations === 1 && reachable && !ringing && !doNotDisturb;
  // A phone outside the company is busy with the first one.
  return isAbleToSwitch && forwardOf(presence) === undefined && presence.employee.callWaiting;
}

/** The other calls that the employee is in. */
export function otherConversations({ leases }: EmployeePresence, callId: string): readonly string[] {
  return leases.filter(({ kind, id }) => kind === 'conversation' && id !== callId).map(({ id }) => id);
}

/** The new status, the next lease expiry, and the event if it is relevant for partners or calls. */
export function settle(before: EmployeePresence, after: EmployeePresence, moment: Moment): PresenceDecision {
  const status = statusOf(signalsOf(after));
  const presence: EmployeePresence = {
    ...after,
    status,
    ...(status !== before.status && { statusSince: moment.now }),
    ...idleFrom(before, after, moment),
  };
  const timers = sameLeases(before, presence) ? {} : { lease_expiry: nextExpiry(presence, moment) };
  const switched = (before.doNotDisturb === null) !== (presence.doNotDisturb === null);
  const isEnd = isActive(before) && !isActive(presence);
  if (!switched && !isEnd && presence.status === before.status) return decided(presence, [], { timers });
  const offered = new Set(ringOfferIds(presence));
  const withdrawnCallIds =
    (switched && presence.doNotDisturb) || isEnd ? ringOfferIds(before).filter((id) => !offered.has(id)) : [];
  return decided(presence, [{ type: 'call-control.employee_status.changed', presence, withdrawnCallIds }], { timers });
}

/** Written together with the leases that change it, so that it costs no write of its own. */
function idleFrom(before: EmployeePresence, after: EmployeePresence, { now }: Moment): { idleSince?: Date } {
  const [was, is] = [signalsOf(before), signalsOf(after)];
  const isIdleNow = !is.onCall && is.reachable && (was.onCall || !was.reachable);
  return isIdleNow ? { idleSince: now } : {};
}

function signalsOf(presence: EmployeePresence) {
  const { leases, doNotDisturb, employee } = presence;
  const has = (wanted: LeaseKey['kind']) => leases.some(({ kind }) => kind === wanted);
  return {
    active: isActive(presence),
    onCall: has('conversation'),
    ringing: has('ring_offer'),
    reachable: has('registration') || employee.forwardTo !== undefined,
    doNotDisturb: doNotDisturb !== null,
    invitationPending: employee.invitationPending,
  };
}

function sameLeases({ leases: before }: EmployeePresence, { leases: after }: EmployeePresence): boolean {
  return before.length === after.length && before.every((lease, index) => lease === after[index]);
}

function nextExpiry({ leases }: EmployeePresence, { now, machineNow }: Moment) {
  if (leases.length === 0) return null;
  const next = Math.min(...leases.map(({ until }) => until.getTime()));
  return dueIn(now, Math.max(0, next - machineNow.getTime()));
}

/** Live presence, highest precedence first. */
export type Status = 'on_call' | 'do_not_disturb' | 'ringing' | 'available' | 'logged_out';

/** Everything that is known about an employee at one moment. */
export interface Signals {
  /** Not deactivated. */
  readonly active: boolean;
  /** In a conversation. */
  readonly onCall: boolean;
  readonly doNotDisturb: boolean;
  /** A call is being offered. */
  readonly ringing: boolean;
  /** A softphone, a mobile app or a phone outside the company can be rung. */
  readonly reachable: boolean;
  /** Has not signed in yet. */
  readonly invitationPending: boolean;
}

/** The only place that decides the precedence. */
export function statusOf(signals: Signals): Status {
  if (!signals.active) return 'logged_out';
  if (signals.onCall) return 'on_call';
  if (signals.doNotDisturb) return 'do_not_disturb';
  if (signals.ringing) return 'ringing';
  return signals.reachable && !signals.invitationPending ? 'available' : 'logged_out';
}

/** An employee's status changed, or do-not-disturb was enabled or disabled. */
export interface StatusChange {
  readonly companyId: string;
  readonly employeeId: string;
  /** `logged_out` for an employee who was deleted. */
  readonly status: Status;
  /** Calls that must stop ringing at the employee, because do-not-disturb was enabled, or the employee deactivated or deleted. */
  readonly withdrawnCallIds: readonly string[];
}
