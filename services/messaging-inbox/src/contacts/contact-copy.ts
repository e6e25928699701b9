import { timestampDate } from '@bufbuild/protobuf/wkt';
import type { Contact } from '@parley/proto/directory/v1/contacts_pb';
import { truncateTerms, suffixesOf, uniqueTerms, wordsOf } from '@parley/text';

/** The inbox's copy of a contact: the fields to display and to find it. The directory owns contacts. */
export interface ContactCopy {
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
  /** Grows with every change of the contact. */
  readonly revision: number;
  /** The search terms; see `searchTermsOf`. */
  readonly searchTerms: readonly string[];
}

export function contactFromProto(contact: Contact, companyId: string): Omit<ContactCopy, 'searchTerms'> {
  return {
    id: contact.id,
    companyId,
    phone: contact.phone,
    phoneFormatted: contact.phoneFormatted,
    name: contact.name ?? null,
    email: contact.email ?? null,
    companyName: contact.companyName ?? null,
    note: contact.note ?? null,
    createdAt: contact.createdAt ? timestampDate(contact.createdAt) : new Date(0),
    updatedAt: contact.updatedAt ? timestampDate(contact.updatedAt) : new Date(0),
    revision: Number(contact.revision),
  };
}

const TERMS_MAX = 3000;

/** The copy of the newer of two states; a state that was applied before is derived again. */
export function applyContact(current: ContactCopy | undefined, contact: Omit<ContactCopy, 'searchTerms'>): ContactCopy {
  if (current && current.revision > contact.revision) return current;
  return { ...contact, searchTerms: searchTermsOf(contact) };
}

/**
 * Every suffix of every word, so that any part of a word is the prefix of a term and found through an index. A note
 * may be ten thousand characters: its words come before their suffixes, which are kept up to the limit.
 */
function searchTermsOf(contact: Pick<ContactCopy, 'name' | 'companyName' | 'email' | 'note'>): string[] {
  const parts = suffixesOf([contact.name, contact.companyName, contact.email].flatMap(wordsOf));
  const noted = wordsOf(contact.note);
  return uniqueTerms([...parts, ...noted, ...suffixesOf(noted)], TERMS_MAX);
}

/** The words of a search, as prefixes of terms. */
export function searchWords(query: string): string[] {
  return truncateTerms(wordsOf(query));
}
