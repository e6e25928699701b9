import { type CountryCode, parsePhoneNumberFromString } from 'libphonenumber-js/max';

/** A number as we keep it and as we show it. */
export interface PhoneNumber {
  /** E.164. */
  readonly number: string;
  /** International format with spaces. */
  readonly formatted: string;
  /** The format within its own country. */
  readonly national: string;
}

/** Digits and what people write between them. Letters and extensions are not formatting: they change who is called. */
const WRITTEN = /^[+＋]?[\d\s().\-‐-―/·]{3,40}$/;

/** `(+45) 20 30 40 50`, which the library does not read. */
const BRACKETED_COUNTRY = /^\(\s*(\+\d{1,3})\s*\)/;

/**
 * Reads a number in any common format; a national one by the numbering plan of `country`. Undefined when it cannot be
 * one. A number counts when its plan allows its length: plans open new ranges faster than libraries are updated.
 */
export function readPhoneNumber(written: string, country: string): PhoneNumber | undefined {
  // Wide digits become ordinary ones, and the invisible marks that come along with copied text go.
  const text = written
    .normalize('NFKC')
    .replaceAll(/\p{Cf}/gu, '')
    .trim()
    .replace(BRACKETED_COUNTRY, '$1 ');
  if (!WRITTEN.test(text)) return undefined;
  const parsed = parsePhoneNumberFromString(text, { defaultCountry: country as CountryCode, extract: false });
  if (!parsed?.isPossible()) return undefined;
  return { number: parsed.number, formatted: parsed.formatInternational(), national: parsed.formatNational() };
}
