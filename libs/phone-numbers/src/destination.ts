import {
  type CountryCode,
  isSupportedCountry,
  parsePhoneNumberFromString,
  type PhoneNumber as ParsedNumber,
} from 'libphonenumber-js/max';

/** The destination of a call as far as its price is concerned. */
export interface Destination {
  /** ISO 3166-1 alpha-2; null for numbers without a country, and where the country is ambiguous. */
  readonly country: string | null;
  /** `freephone`: international freephone, which belongs to no country. */
  readonly kind: 'ordinary' | 'freephone' | 'premium_rate' | 'satellite';
}

/** Calling codes of no country are from the ITU's list of assigned codes (E.164). */
const FREEPHONE_CODE = '800';
/** Inmarsat, the global satellite networks, and international networks, which are sold at satellite prices. */
const SATELLITE_CODES = new Set(['870', '881', '882', '883']);
/** Shared cost, personal numbers, disaster relief, premium rate. */
const PREMIUM_CODES = new Set(['808', '878', '888', '979']);
/** Personal numbers forward to anywhere, at the caller's expense. */
const PREMIUM_TYPES = new Set(['PREMIUM_RATE', 'PERSONAL_NUMBER']);
/** Countries that share a code and have very different prices: a number of an unknown range is nobody's. */
const CODES_OF_MANY_PRICES = new Set(['1', '7']);
/** Territories within the numbering plan and the prices of another country. */
const PART_OF: Readonly<Record<string, string>> = { AX: 'FI', SJ: 'NO' };
/** The country of a shared code whose numbering plan the others are part of. */
const MAIN_COUNTRIES: Readonly<Record<string, string>> = {
  '39': 'IT',
  '44': 'GB',
  '47': 'NO',
  '61': 'AU',
  '64': 'NZ',
  '212': 'MA',
  '262': 'RE',
  '290': 'SH',
  '358': 'FI',
  '590': 'GP',
  '599': 'CW',
};

/** Accepts codes of countries that have phone numbers. */
export function isCountryCode(code: string): boolean {
  return isSupportedCountry(code as CountryCode);
}

/** The destination of a number in E.164; undefined for what is no number. */
export function destinationOf(number: string): Destination | undefined {
  const parsed = parsePhoneNumberFromString(number, { extract: false });
  if (!parsed?.isPossible()) return undefined;
  const code: string = parsed.countryCallingCode;
  if (SATELLITE_CODES.has(code)) return { country: null, kind: 'satellite' };
  if (code === FREEPHONE_CODE) return { country: null, kind: 'freephone' };
  if (PREMIUM_CODES.has(code)) return { country: null, kind: 'premium_rate' };
  const kind = PREMIUM_TYPES.has(parsed.getType() ?? '') ? 'premium_rate' : 'ordinary';
  return { country: countryOf(parsed, code), kind };
}

/** The numbering plan decides, not the code alone: the United States share theirs with 24 other countries. */
function countryOf({ country }: ParsedNumber, code: string): string | null {
  if (country !== undefined) return PART_OF[country] ?? country;
  return CODES_OF_MANY_PRICES.has(code) ? null : (MAIN_COUNTRIES[code] ?? null);
}
