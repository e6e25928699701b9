import type { AuditType } from './audit-types.ts';

/** The values of a field before and after a change; anything that is JSON. */
export interface AuditChange {
  readonly from: unknown;
  readonly to: unknown;
}

/** Keyed by the public name of the field. */
export type AuditChanges = Readonly<Record<string, AuditChange>>;

/**
 * The audit log's record of a change, without its actor and time. It never contains texts, secrets, passwords, notes or phone
 * numbers of external people: for such a field it says only that it has changed (`changedFields`).
 */
export interface AuditEntry<Type extends string = AuditType> {
  /**
   * `<object>.<verb>`, such as `employee.role_changed`; docs/audit.md lists every type. One that was read may have been written by a later
   * version: it is any text.
   */
  readonly type: Type;
  readonly object: { readonly type: string; readonly id: string; readonly name: string };
  readonly changes: AuditChanges;
}

/** An event of a decision that may carry an entry of the audit log. */
export interface Audited {
  readonly audit?: AuditEntry | undefined;
}

/** The entry that an event carries, whatever kind of event it is. */
export function auditOf(event: unknown): AuditEntry | undefined {
  return typeof event === 'object' && event !== null ? (event as Audited).audit : undefined;
}

/** Replaces values that must not be in the audit log. */
const HIDDEN = { set: '(set)', empty: null } as const;

/**
 * The fields that differ, as they are in `before` and `after`, with the names of the API inside of values. Of `hidden` fields only that they have changed, and whether
 * they are set, is recorded. Fields of `before` alone have no value afterwards and the reverse.
 */
export function changedFields<Fields extends Readonly<Record<string, unknown>>>(
  before: Partial<Fields>,
  after: Partial<Fields>,
  { hidden = [] }: { hidden?: readonly (keyof Fields & string)[] } = {},
): AuditChanges {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  const differing = names.filter((name) => json(before[name]) !== json(after[name]));
  return Object.fromEntries(
    differing.map((name) => {
      const show = (value: unknown) => (hidden.includes(name) ? hide(value) : publicValue(value));
      return [name, { from: show(before[name]), to: show(after[name]) }];
    }),
  );
}

/** The name that a field has in the API. */
export function publicName(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function publicValue(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(publicValue);
  if (typeof value !== 'object' || value === null || value instanceof Date) return value ?? null;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [publicName(name), publicValue(inner)]));
}

function hide(value: unknown): string | null {
  const isEmpty = value === undefined || value === null || value === '' || json(value) === '[]';
  return isEmpty ? HIDDEN.empty : HIDDEN.set;
}

function json(value: unknown): string {
  return JSON.stringify(value ?? null);
}
