import { type Refusal, refusal } from '@parley/errors';
import type { Problems } from '../fields/problems.ts';

/** Whom an assistant may transfer a caller to, beside employees by their names. */
export interface TransferTarget {
  readonly id: string;
  readonly name: string;
  readonly aliases: readonly string[];
  /** Who is rung; empty where a phone outside is. */
  readonly employeeIds: readonly string[];
  /** E.164 of a phone outside the company. */
  readonly phoneNumber: string | null;
}

/** A target as it was written: without an id, its phone number in any format. */
export type WrittenTarget = Omit<TransferTarget, 'id'>;

/** What is known about what a company wrote, from services that own it. */
export interface TargetFacts {
  /** Those of the named employees who are not the company's, or are just being deleted. */
  readonly unknownEmployees: ReadonlySet<string>;
  /** The written phone numbers: as E.164, what is wrong with them, or that the company may not call them. */
  readonly phoneNumbers: ReadonlyMap<string, ReadPhoneNumber>;
}

export type ReadPhoneNumber = { readonly to: string } | { readonly problem: string } | 'not_allowed';

const TARGETS_MAX = 50;
const NAME_LENGTH_MAX = 64;
const ALIASES_MAX = 10;
const EMPLOYEES_MAX = 50;

const notAllowed = refusal('destination_not_allowed', 'The company may not call this number.');

/** Adds every problem of a list of targets; returns a refusal where nothing else is wrong with a number. */
export function checkTargets(
  targets: readonly WrittenTarget[],
  { unknownEmployees, phoneNumbers }: TargetFacts,
  problems: Problems,
): Refusal | undefined {
  if (!problems.list('transfer_targets', targets, TARGETS_MAX)) return undefined;
  let isRefused = false;
  for (const [index, target] of targets.entries()) {
    const path = `transfer_targets[${index}]`;
    problems.text(`${path}.name`, target.name, NAME_LENGTH_MAX);
    if (problems.list(`${path}.aliases`, target.aliases, ALIASES_MAX))
      for (const [at, alias] of target.aliases.entries())
        problems.text(`${path}.aliases[${at}]`, alias, NAME_LENGTH_MAX);
    const { employeeIds, phoneNumber } = target;
    if (phoneNumber === null && employeeIds.length === 0)
      problems.add(`${path}.employee_ids`, 'must have at least 1 item, unless there is a phone_number');
    if (phoneNumber !== null && employeeIds.length > 0)
      problems.add(`${path}.phone_number`, 'cannot be given together with employee_ids');
    if (problems.list(`${path}.employee_ids`, employeeIds, EMPLOYEES_MAX))
      for (const [at, id] of employeeIds.entries())
        if (unknownEmployees.has(id)) problems.add(`${path}.employee_ids[${at}]`, 'is not an employee of the company');
    const read = phoneNumber === null ? undefined : phoneNumbers.get(phoneNumber);
    if (read === 'not_allowed') isRefused = true;
    else if (read && 'problem' in read) problems.add(`${path}.phone_number`, read.problem);
  }
  return isRefused ? notAllowed : undefined;
}

/**
 * The list that takes the place of the current one. A target that keeps its name keeps its id, so that a session in which it was found goes on.
 */
export function replaceTargets(
  current: readonly TransferTarget[],
  written: readonly WrittenTarget[],
  { phoneNumbers }: TargetFacts,
  newTargetId: () => string,
): readonly TransferTarget[] {
  const former = new Map(current.map(({ name, id }) => [name, id]));
  return written.map(({ name, aliases, employeeIds, phoneNumber }) => {
    const id = former.get(name) ?? newTargetId();
    former.delete(name);
    const read = phoneNumber === null ? null : phoneNumbers.get(phoneNumber);
    return {
      id,
      name,
      aliases: [...aliases],
      employeeIds: [...new Set(employeeIds)],
      phoneNumber: typeof read === 'object' && read !== null && 'to' in read ? read.to : null,
    };
  });
}

/** The targets without somebody who was removed; one that rings nobody any more is left out. */
export function withoutEmployee(targets: readonly TransferTarget[], employeeId: string): readonly TransferTarget[] {
  return targets
    .map((target) => ({ ...target, employeeIds: target.employeeIds.filter((id) => id !== employeeId) }))
    .filter(({ employeeIds, phoneNumber }) => phoneNumber !== null || employeeIds.length > 0);
}
