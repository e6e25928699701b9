import type { Assistant, TransferTarget } from '../api/schema.d.ts';
import { linesIn } from '../ui/lines-in.ts';
import type { AssistantBody } from './section-draft.ts';

type TargetBody = NonNullable<AssistantBody['transfer_targets']>[number];

/** The edited values of a target. It has the fields of both kinds, so that changing the kind loses nothing. */
export interface TargetForm {
  /** Identifies the target while it is edited. */
  readonly key: string;
  readonly name: string;
  /** One in a line. */
  readonly aliases: string;
  readonly rings: 'employees' | 'phone';
  readonly employeeIds: readonly string[];
  readonly phone: string;
}

export const TARGETS_MAX = 50;

export const newTarget = (key: string): TargetForm => ({
  key,
  name: '',
  aliases: '',
  rings: 'employees',
  employeeIds: [],
  phone: '',
});

export function targetForms({ transfer_targets: targets }: Pick<Assistant, 'transfer_targets'>): readonly TargetForm[] {
  return targets.map(({ id, name, aliases, employee_ids: employeeIds, phone_number: phone }: TransferTarget) => ({
    key: id,
    name,
    aliases: aliases.join('\n'),
    rings: phone === null ? 'employees' : 'phone',
    employeeIds,
    phone: phone ?? '',
  }));
}

export function targetBody({ name, aliases, rings, employeeIds, phone }: TargetForm): TargetBody {
  const named = { name, aliases: linesIn(aliases) };
  return rings === 'phone' ? { ...named, phone_number: phone } : { ...named, employee_ids: [...employeeIds] };
}
