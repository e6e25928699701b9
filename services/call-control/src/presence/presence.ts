import { type Decision, decided } from '@parley/errors';
import type { Due, DueLease } from '@parley/store';
import { type Signals, type Status, statusOf } from './status.ts';

/**
 * Something that holds for now and must be renewed: a softphone's session, a conversation, a ring offer. Whoever stops
 * renewing, by a crash or a cut line, is believed no longer than one lease. By the machine's clock: a lease guards
 * processes, so moving the test clock by an hour hangs nobody up.
 */
export interface PresenceLease {
  readonly kind: 'session' | 'conversation' | 'ring_offer';
  readonly id: string;
  readonly until: Date;
}

/** An employee's presence; its id is the employee's. */
export interface EmployeePresence {
  readonly id: string;
  readonly companyId: string;
  readonly holds: readonly PresenceLease[];
  /** Directory's, as last heard. */
  readonly doNotDisturb: boolean;
  readonly invitationPending: boolean;
  /** What was last published: with do-not-disturb off, and on. */
  readonly status: Status;
  readonly statusInDoNotDisturb: Status;
  /** Grows with every published change. */
  readonly version: number;
  /** When the next hold runs out. */
  readonly due: Due | null;
  readonly dueLease: DueLease | null;
}

/** What directory says about an employee. */
export interface EmployeeFacts {
  readonly doNotDisturb: boolean;
  readonly invitationPending: boolean;
}

export interface PresenceEvent {
  readonly type: 'call-control.presence.changed';
  readonly presence: EmployeePresence;
}

type PresenceDecision = Decision<EmployeePresence, PresenceEvent>;

/** Nobody holds anything yet. */
export function newPresence(
  identity: Pick<EmployeePresence, 'id' | 'companyId'>,
  facts: EmployeeFacts,
): EmployeePresence {
  return {
    ...identity,
    ...facts,
    holds: [],
    status: 'logged_out',
    statusInDoNotDisturb: 'do_not_disturb',
    version: 0,
    due: null,
    dueLease: null,
  };
}

/** Begins or renews a hold. A softphone that comes on line has signed in, so its session ends a pending invitation. */
export function hold(current: EmployeePresence, added: PresenceLease, now: Date): PresenceDecision {
  const others = current.holds.filter(({ kind, id }) => kind !== added.kind || id !== added.id);
  const invitationPending = current.invitationPending && added.kind !== 'session';
  return settle({ ...current, holds: [...others, added], invitationPending }, now);
}

/** Ends a hold; one that is not there has ended already. */
export function release(
  current: EmployeePresence,
  ended: Pick<PresenceLease, 'kind' | 'id'>,
  now: Date,
): PresenceDecision {
  const holds = current.holds.filter(({ kind, id }) => kind !== ended.kind || id !== ended.id);
  return settle({ ...current, holds }, now);
}

/** Forgets what has run out. */
export function expire(current: EmployeePresence, now: Date): PresenceDecision {
  return settle(current, now);
}

/** Takes in what directory says. An invitation that has ended stays so; do-not-disturb cancels what is ringing. */
export function hearFacts(current: EmployeePresence, facts: EmployeeFacts, now: Date): PresenceDecision {
  const holds = facts.doNotDisturb ? current.holds.filter(({ kind }) => kind !== 'ring_offer') : current.holds;
  const invitationPending = current.invitationPending && facts.invitationPending;
  return settle({ ...current, holds, doNotDisturb: facts.doNotDisturb, invitationPending }, now);
}

/** The employee has left. The last word is that nobody is there. */
export function leave(current: EmployeePresence, now: Date): Decision<null, PresenceEvent> {
  const gone = { ...current, holds: [], ...statuses({ ...current, holds: [] }, now), version: next(current, now) };
  return decided(null, [{ type: 'call-control.presence.changed', presence: gone }]);
}

/** The signals that hold at an instant. */
function signalsAt(presence: EmployeePresence, now: Date): Signals {
  const holds = (wanted: PresenceLease['kind']) =>
    presence.holds.some(({ kind, until }) => kind === wanted && until > now);
  return {
    onCall: holds('conversation'),
    ringing: holds('ring_offer'),
    reachable: holds('session'),
    doNotDisturb: presence.doNotDisturb,
    invitationPending: presence.invitationPending,
  };
}

/** Both answers: the caller knows whether do-not-disturb is on. */
function statuses(presence: EmployeePresence, now: Date): Pick<EmployeePresence, 'status' | 'statusInDoNotDisturb'> {
  const signals = signalsAt(presence, now);
  return {
    status: statusOf({ ...signals, doNotDisturb: false }),
    statusInDoNotDisturb: statusOf({ ...signals, doNotDisturb: true }),
  };
}

/** What is left after what has run out, the plan for the next, and the event if anything can be said anew. */
function settle(current: EmployeePresence, now: Date): PresenceDecision {
  const holds = current.holds.filter(({ until }) => until > now);
  const nextAt = Math.min(...holds.map(({ until }) => until.getTime()));
  const settled: EmployeePresence = {
    ...current,
    holds,
    ...statuses({ ...current, holds }, now),
    due: holds.length === 0 ? null : { at: new Date(nextAt), waitMs: nextAt - now.getTime() },
    dueLease: null,
  };
  if (settled.status === current.status && settled.statusInDoNotDisturb === current.statusInDoNotDisturb)
    return decided(settled);
  const presence = { ...settled, version: next(current, now) };
  return decided(presence, [{ type: 'call-control.presence.changed', presence }]);
}

/** Also newer than anything said before a database was lost. */
function next(current: EmployeePresence, now: Date): number {
  return Math.max(current.version + 1, now.getTime());
}
