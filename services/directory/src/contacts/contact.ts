import { type Decision, decided, invalid, refused } from '@parley/errors';
import { readPhoneNumber } from '@parley/phone-numbers';
import { plainLine, plainText, suffixesOf, truncateTerms, uniqueTerms, wordsOf } from '@parley/text';
import { z } from 'zod';

/** A person outside the company, identified by phone number. */
export interface Contact {
  readonly id: string;
  readonly companyId: string;
  readonly phone: string;
  readonly phoneFormatted: string;
  readonly name: string | null;
  readonly email: string | null;
  readonly companyName: string | null;
  readonly note: string | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  /** Orders contacts by creation, also within a millisecond. */
  readonly createdOrder: number;
  /** Increases with every change, to compare two snapshots. */
  readonly revision: number;
  /** See `searchTermsOf`; absent where a list is read. */
  readonly searchTerms?: readonly string[];
}

/** The fields a user edits; blank and null both mean "nothing". */
export interface ContactDetails {
  readonly phone: string;
  readonly name: string | null;
  readonly email: string | null;
  readonly companyName: string | null;
  readonly note: string | null;
}

/** Absent fields stay as they are. */
export type ContactChange = Partial<ContactDetails>;

export interface ContactEvent {
  readonly type: 'directory.contact.created' | 'directory.contact.updated' | 'directory.contact.deleted';
  readonly contact: Contact;
}

const NOTE_LENGTH_MAX = 10_000;
const NAME_LENGTH_MAX = 255;
const EMAIL_LENGTH_MAX = 320;
const TERMS_MAX = 500;

export const phoneTaken = invalid({ phone: ['has already been taken'] });

/** `country`: the company's, by whose numbering plan national numbers are read. */
export function createContact(
  identity: Pick<Contact, 'id' | 'companyId' | 'createdOrder'>,
  details: ContactDetails,
  country: string,
  now: Date,
): Decision<Contact, ContactEvent> {
  const checked = check(details, country);
  if (!checked.ok) return refused(invalid(checked.problems));
  const searchTerms = searchTermsOf(checked.fields);
  const contact = { ...identity, ...checked.fields, createdAt: now, updatedAt: now, revision: 1, searchTerms };
  return decided(contact, [{ type: 'directory.contact.created', contact }]);
}

/** A change without effect emits no event. */
export function updateContact(
  current: Contact,
  change: ContactChange,
  country: string,
  now: Date,
): Decision<Contact, ContactEvent> {
  const checked = check({ ...current, ...change }, country);
  if (!checked.ok) return refused(invalid(checked.problems));
  const fields = Object.entries(checked.fields) as [keyof Contact, unknown][];
  if (fields.every(([name, value]) => current[name] === value)) return decided(current);
  const searchTerms = searchTermsOf(checked.fields);
  const revision = current.revision + 1;
  const contact = { ...current, ...checked.fields, updatedAt: now, revision, searchTerms };
  return decided(contact, [{ type: 'directory.contact.updated', contact }]);
}

export function deleteContact(current: Contact): Decision<null, ContactEvent> {
  return decided(null, [{ type: 'directory.contact.deleted', contact: current }]);
}

/** The same for a person who is erased: the event does not say who it was. */
export function eraseContact(current: Contact): Decision<null, ContactEvent> {
  const { id, companyId, createdAt, updatedAt, createdOrder, revision } = current;
  const nothing = { phone: '', phoneFormatted: '', name: null, email: null, companyName: null, note: null };
  const contact = { id, companyId, createdAt, updatedAt, createdOrder, revision: revision + 1, ...nothing };
  return decided(null, [{ type: 'directory.contact.deleted', contact }]);
}

type CheckedFields = Pick<Contact, 'phone' | 'phoneFormatted' | 'name' | 'email' | 'companyName' | 'note'>;

/** All invalid fields, by their names in the API. */
function check(
  details: ContactDetails,
  country: string,
): { ok: true; fields: CheckedFields } | { ok: false; problems: Record<string, string[]> } {
  const problems: Record<string, string[]> = {};
  const text = (field: string, value: string | null, lengthMax: number) => {
    if (value === null || value.trim() === '') return null;
    if (lengthOf(value) > lengthMax) problems[field] = [`is too long (maximum is ${lengthMax} characters)`];
    return value;
  };
  const phone = readPhoneNumber(details.phone, country);
  if (!phone) problems['phone'] = [details.phone.trim() === '' ? 'is required' : 'is not a valid phone number'];
  const email = text('email', details.email?.trim() ?? null, EMAIL_LENGTH_MAX);
  if (email !== null && !problems['email'] && !z.email().safeParse(email).success)
    problems['email'] = ['is not a valid e-mail address'];
  const fields = {
    phone: phone?.number ?? '',
    phoneFormatted: phone?.formatted ?? '',
    name: text('name', details.name && plainLine(details.name), NAME_LENGTH_MAX),
    email,
    companyName: text('company_name', details.companyName && plainLine(details.companyName), NAME_LENGTH_MAX),
    note: text('note', details.note && plainText(details.note), NOTE_LENGTH_MAX),
  };
  return Object.keys(problems).length === 0 ? { ok: true, fields } : { ok: false, problems };
}

/** Characters as people count them, not UTF-16 units. */
function lengthOf(text: string): number {
  let length = 0;
  for (const _ of text) length += 1;
  return length;
}

/**
 * Every suffix of every word of name, company and e-mail address and of the digits of the phone number, so that any part of a word
 * is the prefix of a term and is found through an index.
 */
export function searchTermsOf(contact: Pick<Contact, 'name' | 'companyName' | 'email' | 'phone'>): string[] {
  const words = [digitsOf(contact.phone), ...[contact.name, contact.companyName, contact.email].flatMap(wordsOf)];
  return uniqueTerms(suffixesOf(words), TERMS_MAX);
}

/** Beginnings of terms, all of which a contact must have; what can only be a phone number is one word. */
export function searchWords(query: string): string[] {
  const words = isPhoneLike(query) ? [digitsOf(query).replace(/^0+/, '')] : wordsOf(query);
  return truncateTerms(words.filter((word) => word !== ''));
}

function isPhoneLike(query: string): boolean {
  return /^[\d\s+()./-]+$/.test(query) && /\d/.test(query);
}

function digitsOf(phone: string): string {
  return phone.replaceAll(/\D/g, '');
}
