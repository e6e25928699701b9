import type { Employee } from '../api/schema.d.ts';

const STATUSES: Readonly<Record<Employee['status'], string>> = {
  available: 'Available',
  on_call: 'On a call',
  ringing: 'Ringing',
  do_not_disturb: 'Do not disturb',
  logged_out: 'Logged out',
  unknown: 'Unknown',
};

/** What the employee is doing, in words. */
export function statusText({ status }: Pick<Employee, 'status'>): string {
  return STATUSES[status] ?? STATUSES.unknown;
}

/** A business number that an employee cannot be removed from without leaving it without anybody. */
export interface HoldingNumber {
  readonly id: string;
  readonly name: string;
}

/** The business numbers in the API's refusal to remove an employee. */
export function holdingNumbers(body: Readonly<Record<string, unknown>>): readonly HoldingNumber[] {
  const numbers: unknown = body['main_numbers'];
  return Array.isArray(numbers) ? numbers.filter(isHoldingNumber) : [];
}

function isHoldingNumber(value: unknown): value is HoldingNumber {
  const { id, name } = Object(value) as Partial<HoldingNumber>;
  return typeof id === 'string' && typeof name === 'string';
}
