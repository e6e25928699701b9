import { session } from '../session.ts';

const PREFIX = 'draft ';
const keyOf = (name: string) => `${PREFIX}${session.employeeId} ${name}`;

/**
 * Edits that are not saved yet, kept by this window under a name: following a link, a reload or a new sign-in loses nothing.
 * Anything that is not valid, such as edits of an older version of the form, is ignored.
 */
export function keptEdits<Value>(name: string, isValid: (kept: unknown) => kept is Value): Value | undefined {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(keyOf(name)) ?? 'null');
    return isValid(kept) ? kept : undefined;
  } catch {
    return undefined;
  }
}

/** `undefined` forgets them. */
export function keepEdits(name: string, edits: object | undefined): void {
  try {
    if (edits === undefined) sessionStorage.removeItem(keyOf(name));
    else sessionStorage.setItem(keyOf(name), JSON.stringify(edits));
  } catch {
    // Storage that is full or forbidden: the edits are still on the page.
  }
}

/** At the end of the session: the next person at this window must not find them. */
export function forgetAllEdits(): void {
  for (const key of Object.keys(sessionStorage)) if (key.startsWith(PREFIX)) sessionStorage.removeItem(key);
}
