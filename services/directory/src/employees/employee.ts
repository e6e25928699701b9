import { type Audited, type AuditEntry, type AuditType, changedFields, type Role } from '@parley/actor';
import { decided, type Decision, invalid, notFound, refusal, refused } from '@parley/errors';
import { z } from 'zod';
import { readPhoneNumber } from '@parley/phone-numbers';
import { plainLine } from '@parley/text';
import { changedEmail, confirmedEmail, type EmailFields, emailKeyOf } from './employee-email.ts';

/** An employee of the company. */
export interface Employee extends EmailFields {
  readonly id: string;
  readonly companyId: string;
  /** One of the company's numbered slots; the first owner and those who are deactivated have none. */
  readonly slot?: number;
  readonly name: string;
  readonly role: Role;
  /** The sequence of the last change of ownership that was applied to the employee or withdrawn; see `ownership.ts`. */
  readonly ownerSequence: number;
  readonly phone: string | null;
  /** A second call is offered during a conversation. */
  readonly callWaiting: boolean;
  /** A phone (E.164) that also rings while no phone of the employee is registered. */
  readonly forwardTo: string | null;
  readonly invitationPending: boolean;
  /**
   * Set while the employee is being deleted, by the machine's clock: until then no routing may name the employee. A
   * deletion that was interrupted ends at that time.
   */
  readonly leavingUntil: Date | null;
  /** Absent while the employee is active; see `deactivation.ts`. */
  readonly deactivatedAt?: Date;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  /** Increases with every change of the record, to compare two snapshots. */
  readonly revision: number;
}

interface EmployeeDetails {
  readonly name: string;
  readonly email: string;
  readonly phone: string | null;
  readonly role: Role;
}

/** Absent fields stay as they are. */
export type EmployeeChange = Partial<
  EmployeeDetails & { readonly callWaiting: boolean; readonly forwardTo: string | null }
>;

export interface EmployeeEvent extends Audited {
  readonly type: 'directory.employee.created' | 'directory.employee.updated' | 'directory.employee.deleted';
  readonly employee: Employee;
}

const NAME_LENGTH_MAX = 255;
const EMAIL_LENGTH_MAX = 320;

export const emailTaken = invalid({ email: ['has already been taken'] });

/** An owner stops being one only together with the company's list of owners, which makes sure that one is left. */
export const ownershipChanged = refusal('conflict', 'the ownership of this employee is being changed; retry');

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
    emailKeys: [checked.fields.emailKey],
    emailChange: 1,
    role: details.role,
    ownerSequence: 0,
    callWaiting: false,
    forwardTo: null,
    invitationPending: details.invited,
    leavingUntil: null,
    createdAt: now,
    updatedAt: now,
    revision: 1,
  };
  const audit = auditOfEmployee('created', employee);
  return decided(employee, [{ type: 'directory.employee.created', employee, audit }]);
}

/**
 * A change without effect emits no event. `ownerSequence`: of the change of ownership that this is a part of, without which
 * an owner stays one.
 */
export function updateEmployee(
  current: Employee,
  change: EmployeeChange,
  country: string,
  now: Date,
  ownerSequence?: number,
): Decision<Employee, EmployeeEvent> {
  const { role = current.role, callWaiting = current.callWaiting, forwardTo = current.forwardTo } = change;
  const checked = check({ ...current, ...change }, country);
  if (!checked.ok) return refused(invalid(checked.problems));
  if (endsOwnership(current, role) && !isOpenOwnerChange(current, ownerSequence)) return refused(ownershipChanged);
  const { name, phone, email } = checked.fields;
  const fields = { name, phone, email, role, callWaiting, forwardTo };
  if ((Object.keys(fields) as (keyof typeof fields)[]).every((field) => fields[field] === current[field]))
    return decided(current);
  const sequence = ownerSequence === undefined ? {} : { ownerSequence };
  return changed(current, { ...changedEmail(current, email), ...fields, ...sequence }, now);
}

function endsOwnership(current: Employee, role: Role): boolean {
  return current.role === 'owner' && role !== 'owner';
}

/** The change of ownership is open until it is applied or withdrawn. */
export function isOpenOwnerChange({ ownerSequence }: Employee, sequence: number | undefined): boolean {
  return sequence !== undefined && sequence > ownerSequence;
}

/** The change of ownership will not happen any more, whoever is about to write it. */
export function withdrawOwnerChange(current: Employee, ownerSequence: number): Decision<Employee, EmployeeEvent> {
  return decided(isOpenOwnerChange(current, ownerSequence) ? { ...current, ownerSequence } : current);
}

/** Refused when the address was changed again; a change that is confirmed stays so. */
export function confirmEmail(current: Employee, emailChange: number, now: Date): Decision<Employee, EmployeeEvent> {
  if (current.emailChange !== emailChange) return refused(notFound);
  return current.signInEmail === undefined ? decided(current) : changed(current, confirmedEmail(current), now);
}

/** The first sign-in ends the invitation; later ones change nothing. */
export function recordSignIn(current: Employee, now: Date): Decision<Employee, EmployeeEvent> {
  if (!current.invitationPending) return decided(current);
  return changed(current, { ...current, invitationPending: false }, now);
}

function changed(from: Employee, to: Employee, now: Date): Decision<Employee, EmployeeEvent> {
  const employee = { ...to, updatedAt: now, revision: to.revision + 1 };
  const audit = auditOfChange(from, employee);
  return decided(employee, [{ type: 'directory.employee.updated', employee, ...(audit && { audit }) }]);
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

/**
 * Refused once the mark has expired: routing may have named the employee since the check. An owner is deleted as a part of a
 * change of ownership.
 */
export function deleteEmployee(
  current: Employee,
  machineNow: Date,
  ownerSequence?: number,
): Decision<null, EmployeeEvent> {
  if (current.role === 'owner' && !isOpenOwnerChange(current, ownerSequence)) return refused(ownershipChanged);
  if (!isBeingDeleted(current, machineNow))
    return refused(refusal('conflict', 'another request is deleting or keeping this employee; retry'));
  const audit = auditOfEmployee('removed', current);
  return decided(null, [{ type: 'directory.employee.deleted', employee: current, audit }]);
}

type CheckedFields = Pick<Employee, 'name' | 'email' | 'emailKey' | 'phone'>;

/** Every wrong field at once. */
function check(
  details: Omit<EmployeeDetails, 'role'>,
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

/** The audited fields of an employee. */
interface AuditedEmployee {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly phone: string | null;
  readonly forwardTo: string | null;
  readonly role: Role;
  readonly callWaiting: boolean;
  readonly signInEmail?: string;
}

export function auditOfEmployee(verb: 'created' | 'removed', employee: AuditedEmployee): AuditEntry {
  const fields = auditFields(employee);
  const [before, after] = verb === 'created' ? [{}, fields] : [fields, {}];
  const type: AuditType = `employee.${verb}`;
  return { type, object: objectOf(employee), changes: changedFields(before, after) };
}

/**
 * The same of a changed one, with the name of the most important change. A sign-in that ends an invitation is no change of the employee:
 * the session has its own entry.
 */
export function auditOfChange(before: AuditedEmployee, after: AuditedEmployee): AuditEntry | undefined {
  const changes = changedFields(auditFields(before), auditFields(after));
  if (Object.keys(changes).length === 0) return undefined;
  return { type: typeOf(Object.keys(changes)), object: objectOf(after), changes };
}

function typeOf(changed: readonly string[]): AuditType {
  if (changed.includes('role')) return 'employee.role_changed';
  if (changed.includes('email')) return 'employee.email_changed';
  return changed.includes('email_confirmation_pending') ? 'employee.email_confirmed' : 'employee.updated';
}

export function objectOf({ id, name }: Pick<AuditedEmployee, 'id' | 'name'>): AuditEntry['object'] {
  return { type: 'employee', id, name };
}

function auditFields({ name, email, phone, forwardTo, role, callWaiting, signInEmail }: AuditedEmployee) {
  return {
    name,
    email,
    phone,
    forward_to: forwardTo,
    role,
    call_waiting: callWaiting,
    email_confirmation_pending: signInEmail !== undefined,
  };
}
