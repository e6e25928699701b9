import { truncateTerms, suffixesOf, uniqueTerms, wordsOf } from '@parley/text';

interface SearchedFields {
  readonly name: string | null;
  readonly companyName: string | null;
  readonly email: string | null;
  /** E.164. */
  readonly phone: string;
}

const TERMS_MAX = 500;

/**
 * Every suffix of every word of name, company and e-mail address and of the digits of the phone number, so that any part of a word
 * is the prefix of a term and is found through an index.
 */
export function searchTermsOf(contact: SearchedFields): string[] {
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
