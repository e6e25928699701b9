import { type Decision, decided, invalid, refusal, refused } from '@parley/errors';
import type { Due, DueLease } from '@parley/store';
import { z } from 'zod';
import { readPhoneNumber } from '@parley/phone-numbers';
import { NEVER_SEEN, newerPresence, type Presence, statusOf } from './employee-status.ts';

/** Somebody who works for the company. */
export interface Employee {
  readonly id: string;
  readonly companyId: string;
  /** Which of the company's places; the owner has none. */
  readonly place?: number;
  readonly name: string;
  readonly email: string;
  /** The address in the form that must be unique across all companies: upper and lower case are the same person. */
  readonly emailKey: string;
  readonly phone: string | null;
  readonly invitationPending: boolean;
  readonly doNotDisturb: DoNotDisturb | null;
  /** What call-control last said. */
  readonly presence: Presence;
  /**
   * Set while the employee is being deleted, by the machine's clock: until then no routing may name the employee. A
   * deletion that died in the middle is over when the time is.
   */
  readonly leavingUntil: Date | null;
  /** When do-not-disturb switches off by itself. */
  readonly due: Due | null;
  readonly dueLease: DueLease | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export interface DoNotDisturb {
  readonly activatedAt: Date;
  /** Null: without end. */
  readonly expiresAt: Date | null;
}

export interface EmployeeDetails {
  readonly name: string;
  readonly email: string;
  readonly phone: string | null;
}

/** Absent fields stay as they are. */
export type EmployeeChange = Partial<EmployeeDetails>;

export interface EmployeeEvent {
  readonly type:
    | 'directory.employee.created'
    | 'directory.employee.updated'
    | 'directory.employee.status_changed'
    | 'directory.employee.deleted';
  readonly employee: Employee;
}

const NAME_LENGTH_MAX = 255;
const EMAIL_LENGTH_MAX = 320;

export const emailTaken = invalid({ email: ['has already been taken'] });

export function emailKeyOf(email: string): string {
  return email.trim().normalize('NFC').toLowerCase();
}

/** `invited`: has yet to sign in for the first time. */
export function createEmployee(
  identity: Pick<Employee, 'id' | 'companyId'>,
  details: EmployeeDetails & { invited: boolean },
  country: string,
  now: Date,
): Decision<Employee, EmployeeEvent> {
  const checked = check(details, country);
  if (!checked.ok) return refused(invalid(checked.problems));
  const employee: Employee = {
    ...identity,
    ...checked.fields,
    invitationPending: details.invited,
    doNotDisturb: null,
    presence: NEVER_SEEN,
    leavingUntil: null,
    due: null,
    dueLease: null,
    createdAt: now,
    updatedAt: now,
  };
  return decided(employee, [{ type: 'directory.employee.created', employee }]);
}

/** A change that changes nothing is no event. */
export function updateEmployee(
  current: Employee,
  change: EmployeeChange,
  country: string,
  now: Date,
): Decision<Employee, EmployeeEvent> {
  const checked = check({ ...current, ...change }, country);
  if (!checked.ok) return refused(invalid(checked.problems));
  const fields = Object.entries(checked.fields) as [keyof Employee, unknown][];
  if (fields.every(([name, value]) => current[name] === value)) return decided(current);
  return changed(current, { ...current, ...checked.fields, updatedAt: now });
}

/** The first sign-in ends the invitation; later ones are nothing new. */
export function recordSignIn(current: Employee, now: Date): Decision<Employee, EmployeeEvent> {
  if (!current.invitationPending) return decided(current);
  return changed(current, { ...current, invitationPending: false, updatedAt: now });
}

/** What call-control says changes what is shown, not the record. */
export function hearPresence(current: Employee, heard: Presence): Decision<Employee, EmployeeEvent> {
  const presence = newerPresence(current.presence, heard);
  if (presence === current.presence) return decided(current);
  const employee = { ...current, presence };
  return statusOf(employee) === statusOf(current) ? decided(employee) : changed(current, employee);
}

/** Two decisions in the order of what they are about, stored as one. */
export function afterHearing(
  current: Employee,
  heard: Presence,
  decide: (employee: Employee) => Decision<Employee, EmployeeEvent>,
): Decision<Employee, EmployeeEvent> {
  const hearing = hearPresence(current, heard);
  if (!hearing.ok) return hearing;
  const decision = decide(hearing.state);
  return decision.ok ? decided(decision.state, [...hearing.events, ...decision.events]) : decision;
}

/** One fact per change: the status and the do-not-disturb switch are what followers of presence care about. */
export function changed(before: Employee, employee: Employee): Decision<Employee, EmployeeEvent> {
  const switched = (before.doNotDisturb === null) !== (employee.doNotDisturb === null);
  const presenceChanged = switched || statusOf(before) !== statusOf(employee);
  const type = presenceChanged ? 'directory.employee.status_changed' : 'directory.employee.updated';
  return decided(employee, [{ type, employee }]);
}

/** From now on no routing may name the employee; then routing is asked whether one does. */
export function beginLeaving(current: Employee, until: Date): Decision<Employee, EmployeeEvent> {
  return decided({ ...current, leavingUntil: until });
}

/** The employee is still a call target, so everything is as it was. */
export function stay(current: Employee): Decision<Employee, EmployeeEvent> {
  return decided({ ...current, leavingUntil: null });
}

export function isLeaving(employee: Employee, machineNow: Date): boolean {
  return employee.leavingUntil !== null && employee.leavingUntil > machineNow;
}

/** Only while routing is kept from naming the employee: what was found out before that may no longer be true. */
export function deleteEmployee(current: Employee, machineNow: Date): Decision<null, EmployeeEvent> {
  if (!isLeaving(current, machineNow))
    return refused(refusal('conflict', 'somebody else has just decided about this employee; try again'));
  return decided(null, [{ type: 'directory.employee.deleted', employee: current }]);
}

type CheckedFields = Pick<Employee, 'name' | 'email' | 'emailKey' | 'phone'>;

/** Every wrong field at once. */
function check(
  details: EmployeeDetails,
  country: string,
): { ok: true; fields: CheckedFields } | { ok: false; problems: Record<string, string[]> } {
  const problems: Record<string, string[]> = {};
  const name = details.name.trim();
  if (name === '') problems['name'] = ['is required'];
  else if (name.length > NAME_LENGTH_MAX) problems['name'] = [`is too long (maximum is ${NAME_LENGTH_MAX} characters)`];
  const email = details.email.trim();
  if (email === '') problems['email'] = ['is required'];
  else if (email.length > EMAIL_LENGTH_MAX || !z.email().safeParse(email).success)
    problems['email'] = ['is not a valid e-mail address'];
  const blank = details.phone === null || details.phone.trim() === '';
  const phone = blank ? null : readPhoneNumber(details.phone ?? '', country);
  if (phone === undefined) problems['phone'] = ['is not a valid phone number'];
  if (Object.keys(problems).length > 0) return { ok: false, problems };
  return { ok: true, fields: { name, email, emailKey: emailKeyOf(email), phone: phone?.number ?? null } };
}
