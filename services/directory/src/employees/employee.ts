import { type Decision, decided, invalid, refused } from '@parley/errors';
import { z } from 'zod';
import { readPhoneNumber } from '../phones/phone-number.ts';

/** Somebody who works for the company. */
export interface Employee {
  readonly id: string;
  readonly companyId: string;
  readonly name: string;
  readonly email: string;
  /** The address in the form that must be unique across all companies: upper and lower case are the same person. */
  readonly emailKey: string;
  readonly phone: string | null;
  readonly invitationPending: boolean;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** `invited`: has yet to sign in for the first time. */
export interface EmployeeDetails {
  readonly name: string;
  readonly email: string;
  readonly phone: string | null;
  readonly invited: boolean;
}

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

export function createEmployee(
  identity: Pick<Employee, 'id' | 'companyId'>,
  details: EmployeeDetails,
  country: string,
  now: Date,
): Decision<Employee, EmployeeEvent> {
  const problems: Record<string, string[]> = {};
  const email = details.email.trim();
  if (details.name.trim() === '') problems['name'] = ['is required'];
  else if (details.name.length > NAME_LENGTH_MAX)
    problems['name'] = [`is too long (maximum is ${NAME_LENGTH_MAX} characters)`];
  if (email === '') problems['email'] = ['is required'];
  else if (email.length > EMAIL_LENGTH_MAX || !z.email().safeParse(email).success)
    problems['email'] = ['is not a valid e-mail address'];
  const phone = details.phone === null ? null : readPhoneNumber(details.phone, country);
  if (phone === undefined) problems['phone'] = ['is not a valid phone number'];
  if (Object.keys(problems).length > 0) return refused(invalid(problems));
  const employee: Employee = {
    ...identity,
    name: details.name.trim(),
    email,
    emailKey: emailKeyOf(email),
    phone: phone?.number ?? null,
    invitationPending: details.invited,
    createdAt: now,
    updatedAt: now,
  };
  return decided(employee, [{ type: 'directory.employee.created', employee }]);
}
