import { type CountryCode, parsePhoneNumberFromString } from 'libphonenumber-js/max';

/** Digits and what people write between them. */
const WRITTEN = /^[+＋]?[\d\s().\-‐-―/·]{3,40}$/;

/**
 * Reads a number in any common format, a national one by the numbering plan of `country`. Undefined when it cannot be
 * one. A number counts when its plan allows its length: plans open new ranges faster than any library learns them.
 */
export function readPhoneNumber(written: string, country: string): { number: string; formatted: string } | undefined {
  const text = written.trim();
  if (!WRITTEN.test(text)) return undefined;
  const parsed = parsePhoneNumberFromString(text, { defaultCountry: country as CountryCode, extract: false });
  return parsed?.isPossible() ? { number: parsed.number, formatted: parsed.formatInternational() } : undefined;
}
