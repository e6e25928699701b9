import { type Decision, decided, invalid, refusal, refused } from '@parley/errors';
import { z } from 'zod';
import { readPhoneNumber } from '@parley/phone-numbers';
import { plainLine } from '@parley/plain-text';

/** An employee of the company. */
export interface Employee {
  readonly id: string;
  readonly companyId: string;
  /** Which of the company's numbered slots; the owner has none. */
  readonly slot?: number;
  readonly name: string;
  readonly email: string;
  /** The address in the form that must be unique across all companies: upper and lower case are the same person. */
  readonly emailKey: string;
  readonly phone: string | null;
  readonly invitationPending: boolean;
  /**
   * Set while the employee is being deleted, by the machine's clock: until then no routing may name the employee. A
   * deletion that was interrupted ends at that time.
   */
  readonly leavingUntil: Date | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  /** Increases with every change of the record, to compare two snapshots. Absent until the first change of older data. */
  readonly revision?: number;
}

export interface EmployeeDetails {
  readonly name: string;
  readonly email: string;
  readonly phone: string | null;
}

/** Absent fields stay as they are. */
export type EmployeeChange = Partial<EmployeeDetails>;

export interface EmployeeEvent {
  readonly type: 'directory.employee.created' | 'directory.employee.updated' | 'directory.employee.deleted';
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
    leavingUntil: null,
    createdAt: now,
    updatedAt: now,
    revision: 1,
  };
  return decided(employee, [{ type: 'directory.employee.created', employee }]);
}

/** A change without effect emits no event. */
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
  return changed({ ...current, ...checked.fields }, now);
}

/** The first sign-in ends the invitation; later ones change nothing. */
export function recordSignIn(current: Employee, now: Date): Decision<Employee, EmployeeEvent> {
  if (!current.invitationPending) return decided(current);
  return changed({ ...current, invitationPending: false }, now);
}

function changed(to: Employee, now: Date): Decision<Employee, EmployeeEvent> {
  const employee = { ...to, updatedAt: now, revision: (to.revision ?? 0) + 1 };
  return decided(employee, [{ type: 'directory.employee.updated', employee }]);
}

/** Until then no routing may name the employee; the caller checks whether one already does. */
export function beginDeletion(current: Employee, until: Date): Decision<Employee, EmployeeEvent> {
  return decided({ ...current, leavingUntil: until });
}

/** The deletion was refused. */
export function cancelDeletion(current: Employee): Decision<Employee, EmployeeEvent> {
  return decided({ ...current, leavingUntil: null });
}

export function isBeingDeleted(employee: Employee, machineNow: Date): boolean {
  return employee.leavingUntil !== null && employee.leavingUntil > machineNow;
}

/** Refused once the mark has expired: routing may have named the employee since the check. */
export function deleteEmployee(current: Employee, machineNow: Date): Decision<null, EmployeeEvent> {
  if (!isBeingDeleted(current, machineNow))
    return refused(refusal('conflict', 'another request is deleting or keeping this employee; retry'));
  return decided(null, [{ type: 'directory.employee.deleted', employee: current }]);
}

type CheckedFields = Pick<Employee, 'name' | 'email' | 'emailKey' | 'phone'>;

/** Every wrong field at once. */
function check(
  details: EmployeeDetails,
  country: string,
): { ok: true; fields: CheckedFields } | { ok: false; problems: Record<string, string[]> } {
  const problems: Record<string, string[]> = {};
  const name = plainLine(details.name).trim();
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
