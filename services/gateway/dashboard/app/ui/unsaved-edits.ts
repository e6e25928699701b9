import { session } from '../session.ts';

const PREFIX = 'draft ';
const keyOf = (name: string) => `${PREFIX}${session.employeeId} ${name}`;

/**
 * Edits that are not saved yet, stored by this window under a name: following a link, a reload or a new sign-in loses nothing.
 * Anything that is not valid, such as edits of an older version of the form, is ignored.
 */
export function readUnsavedEdits<Value>(
  name: string,
  isValid: (stored: unknown) => stored is Value,
): Value | undefined {
  try {
    const stored: unknown = JSON.parse(sessionStorage.getItem(keyOf(name)) ?? 'null');
    return isValid(stored) ? stored : undefined;
  } catch {
    return undefined;
  }
}

/** `undefined` forgets them. */
export function storeUnsavedEdits(name: string, edits: object | undefined): void {
  try {
    if (edits === undefined) sessionStorage.removeItem(keyOf(name));
    else sessionStorage.setItem(keyOf(name), JSON.stringify(edits));
  } catch {
    // Storage that is full or forbidden: the edits are still on the page.
  }
}

/** At the end of the session: the next person at this window must not find them. */
export function forgetUnsavedEdits(): void {
  for (const key of Object.keys(sessionStorage)) if (key.startsWith(PREFIX)) sessionStorage.removeItem(key);
}
