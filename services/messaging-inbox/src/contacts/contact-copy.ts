import { beginningsOf, endingsOf, uniqueTerms, wordsOf } from '@parley/search-terms';

/** What the inbox keeps of a contact: enough to show it and to find it. The directory owns it. */
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
  /** Of the event that was applied last; 0 when read by a backfill. */
  readonly sequence: number;
  /** What the contact is found by; see `searchTermsOf`. */
  readonly searchTerms: readonly string[];
}

const TERMS_MAX = 2000;

/** The copy after an event; an event that was applied before changes nothing. */
export function applyContact(current: ContactCopy | undefined, contact: Omit<ContactCopy, 'searchTerms'>): ContactCopy {
  if (current && contact.sequence !== 0 && current.sequence >= contact.sequence) return current;
  const sequence = Math.max(contact.sequence, current?.sequence ?? 0);
  return { ...contact, sequence, searchTerms: searchTermsOf(contact) };
}

/**
 * Every ending of every word of name, company and e-mail address, so that any part of a word is the beginning of a term
 * and found through an index; of a note the words alone, which may be ten thousand characters.
 */
function searchTermsOf(contact: Pick<ContactCopy, 'name' | 'companyName' | 'email' | 'note'>): string[] {
  const parts = endingsOf([contact.name, contact.companyName, contact.email].flatMap(wordsOf));
  return uniqueTerms([...parts, ...wordsOf(contact.note)], TERMS_MAX);
}

/** The words of a search, as terms begin. */
export function searchWords(query: string): string[] {
  return beginningsOf(wordsOf(query));
}
