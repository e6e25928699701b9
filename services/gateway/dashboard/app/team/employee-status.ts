import type { Employee } from '../api/schema.d.ts';
import { t } from '../i18n/translate.ts';
import type { Tone } from '../ui/badge.tsx';

export function statusText({ status }: Pick<Employee, 'status'>): string {
  const texts: Readonly<Record<string, string>> = {
    available: t('Available'),
    on_call: t('In a call'),
    ringing: t('Ringing'),
    do_not_disturb: t('Do not disturb'),
    logged_out: t('Signed out'),
  };
  return texts[status] ?? t('Unknown');
}

/** The colour of a presence; always beside its words. */
export function presenceTone({ status }: Pick<Employee, 'status'>): Tone {
  const tones: Readonly<Record<string, Tone>> = {
    available: 'good',
    on_call: 'accent',
    ringing: 'accent',
    do_not_disturb: 'warn',
  };
  return tones[status] ?? 'neutral';
}

/** Counts employees by presence; those who have not accepted their invitation, or are deactivated, are not counted. */
export function presenceCounts(
  employees: readonly Pick<Employee, 'status' | 'invitation_pending' | 'active'>[],
): Readonly<Record<'available' | 'busy' | 'doNotDisturb' | 'away', number>> {
  const tones = employees.filter((employee) => employee.active && !employee.invitation_pending).map(presenceTone);
  const count = (tone: Tone) => tones.filter((one) => one === tone).length;
  return { available: count('good'), busy: count('accent'), doNotDisturb: count('warn'), away: count('neutral') };
}

/** Deactivated and before them invited people last, the signed-in employee first, the others by name; only those whose name or address has the words. */
export function listedEmployees<One extends Pick<Employee, 'id' | 'name' | 'email' | 'invitation_pending' | 'active'>>(
  employees: readonly One[],
  ownId: string,
  search: string,
): readonly One[] {
  const wanted = search.trim().toLowerCase();
  const rank = (one: One) => (one.id === ownId ? 0 : !one.active ? 3 : one.invitation_pending ? 2 : 1);
  return employees
    .filter(({ name, email }) => `${name} ${email}`.toLowerCase().includes(wanted))
    .toSorted((one, other) => rank(one) - rank(other) || one.name.localeCompare(other.name));
}
