import { type AuditEntry, changedFields } from '@parley/actor';
import { decided, invalid, refused } from '@parley/errors';
import { dueIn } from '@parley/aggregates';
import { type EmployeePresence, type Moment, type PresenceDecision, settle, type Status } from './presence.ts';

/** `expiresAt` null: without end. */
export type DoNotDisturbChange =
  | { readonly enabled: true; readonly expiresAt: Date | null }
  | { readonly enabled: false };

/** Enabling withdraws the ring offers. Enabling again keeps the moment of activation and takes the new end. */
export function setDoNotDisturb(
  current: EmployeePresence,
  change: DoNotDisturbChange,
  moment: Moment,
): PresenceDecision {
  const before = current.doNotDisturb;
  if (!change.enabled) return before ? disable(current, moment) : decided(current);
  const { expiresAt } = change;
  const { now } = moment;
  if (expiresAt && expiresAt <= now) return refused(invalid({ expires_at: ['must be in the future'] }));
  if (before && before.expiresAt?.getTime() === expiresAt?.getTime()) return decided(current);
  const decision = settle(
    current,
    {
      ...current,
      leases: current.leases.filter(({ kind }) => kind !== 'ring_offer'),
      doNotDisturb: { activatedAt: before?.activatedAt ?? now, expiresAt },
      doNotDisturbChangedAt: now,
    },
    moment,
  );
  return withExpiry(decision, expiresAt && dueIn(now, expiresAt.getTime() - now.getTime()));
}

/** The same for somebody else, which the audit log records. */
export function setOthersDoNotDisturb(
  current: EmployeePresence,
  change: DoNotDisturbChange,
  moment: Moment,
): PresenceDecision {
  const decision = setDoNotDisturb(current, change, moment);
  if (!decision.ok || decision.state === current) return decision;
  const { id, employee } = current;
  const audit: AuditEntry = {
    type: 'employee.do_not_disturb_changed',
    object: { type: 'employee', id, name: employee.name },
    changes: changedFields(auditedFields(current), auditedFields(decision.state)),
  };
  const event = { type: 'call-control.do_not_disturb.changed', employeeId: id, audit } as const;
  return { ...decision, events: [...decision.events, event] };
}

function auditedFields({ doNotDisturb }: EmployeePresence) {
  return { enabled: doNotDisturb !== null, expires_at: doNotDisturb?.expiresAt ?? null };
}

/** Fired by the timer, which is authoritative: moving the clock back moves the timer too, so nothing stays enabled forever. */
export function expireDoNotDisturb(current: EmployeePresence, moment: Moment): PresenceDecision {
  return current.doNotDisturb ? disable(current, moment) : decided(current);
}

function disable(current: EmployeePresence, moment: Moment): PresenceDecision {
  const after = { ...current, doNotDisturb: null, doNotDisturbChangedAt: moment.now };
  return withExpiry(settle(current, after, moment), null);
}

function withExpiry(decision: PresenceDecision, due: ReturnType<typeof dueIn> | null): PresenceDecision {
  if (!decision.ok) return decision;
  return { ...decision, timers: { ...decision.timers, do_not_disturb_expiry: due } };
}

/** A number and everyone its flow during business hours may ring, menu branches included, as one group. */
interface AssignedNumber {
  readonly id: string;
  readonly name: string;
  readonly incomingCallEmployeeIds: readonly string[];
}

const ANSWERING: ReadonlySet<Status> = new Set<Status>(['available', 'ringing', 'on_call']);

/** The numbers whose calls would go directly to the no-answer flow without the employee: no other employee is available, now or soon. */
export function atRiskNumbers(
  employeeId: string,
  numbers: readonly AssignedNumber[],
  statusOf: (employeeId: string) => Status,
): readonly AssignedNumber[] {
  return numbers.filter(
    ({ incomingCallEmployeeIds: group }) =>
      group.includes(employeeId) && !group.some((id) => id !== employeeId && ANSWERING.has(statusOf(id))),
  );
}
