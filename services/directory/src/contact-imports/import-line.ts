import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import type { Clock } from '@parley/clock';
import { notFound, Refused } from '@parley/errors';
import { readPhoneNumber } from '@parley/phone-numbers';
import { type ContactChange, createContact, eraseContact, phoneTaken, updateContact } from '../contacts/contact.ts';
import type { ContactCap, Contacts } from '../contacts/contact-store.ts';

/** A line of a file. Absent fields have no column. */
export interface ImportLine {
  readonly line: number;
  readonly phone: string;
  readonly name?: string;
  readonly email?: string;
  readonly companyName?: string;
  readonly note?: string;
  /** The person was erased: nothing but the number of the line is left. */
  readonly isErased?: true;
}

export interface ImportLineDeps {
  readonly contacts: Contacts;
  readonly cap: ContactCap;
  readonly tick: () => number;
  readonly clock: Clock;
}

/** The outcome of a line: the contact was created or updated, or the reason why it was not imported. */
export type LineResult = 'created' | 'updated' | { readonly error: string };

/** A new contact's id follows from its line. */
export function contactIdOf(importId: string, line: number): string {
  return `con_${createHash('sha256').update(`${importId} ${line}`).digest('hex').slice(0, 32)}`;
}

/** The numbers of the lines that are a person's. */
export async function linesOf(
  lines: readonly ImportLine[],
  phoneNumber: string,
  country: string,
): Promise<ReadonlySet<number>> {
  const found = new Set<number>();
  for (const [index, { line, phone }] of lines.entries()) {
    if (readPhoneNumber(phone, country)?.number === phoneNumber) found.add(line);
    // Reading a number takes about 50 µs; other requests are served in between.
    if (index % 100 === 99) await setImmediate();
  }
  return found;
}

/** Other requests create and delete contacts of the same number meanwhile. */
const ATTEMPTS_MAX = 5;

/** Creates or updates the contact with the number of a line. One that is imported again after a crash still counts as created. */
export async function importLine(
  deps: ImportLineDeps,
  to: { readonly companyId: string; readonly country: string; readonly importId: string },
  { line, phone: written, isErased, ...fields }: ImportLine,
): Promise<LineResult> {
  const { contacts, cap, tick, clock } = deps;
  const { companyId, country } = to;
  const own = contacts.of(companyId);
  const id = contactIdOf(to.importId, line);
  if (isErased) {
    // It may have been created at the same time as its person was erased.
    await own.changeIfExists(id, eraseContact);
    return { error: 'the person was erased' };
  }
  const phone = readPhoneNumber(written, country)?.number;
  if (phone === undefined)
    return { error: written.trim() === '' ? 'phone is required' : 'phone is not a valid phone number' };
  for (let attempt = 1; ; attempt += 1) {
    try {
      const known = await own.findOne({ phone });
      if (known) {
        const change: ContactChange = fields;
        await own.change(known.id, (current) => updateContact(current, change, country, clock.now()));
        return known.id === id ? 'created' : 'updated';
      }
      const identity = { id, companyId, createdOrder: tick() };
      const nothing = { name: null, email: null, companyName: null, note: null };
      const decision = createContact(identity, { ...nothing, ...fields, phone }, country, clock.now());
      if (decision.ok && !(await cap.hasCapacity(companyId)))
        return { error: `a company has at most ${cap.max} contacts` };
      await own.create(decision);
      cap.added(companyId);
      return 'created';
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      const { refusal } = error;
      const isChanged = refusal === phoneTaken || refusal.code === notFound.code;
      if (!isChanged || attempt === ATTEMPTS_MAX) return { error: errorText(refusal) };
    }
  }
}

/** Names the columns but not their contents, which are personal data. */
function errorText({ message, fields }: Refused['refusal']): string {
  const problems = Object.entries(fields ?? {}).map(([field, [problem]]) => `${field} ${problem}`);
  return problems.length > 0 ? problems.join('; ') : message;
}
