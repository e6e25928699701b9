import {
  type CountryCode,
  isSupportedCountry,
  parsePhoneNumberFromString,
  type PhoneNumber as ParsedNumber,
  type PhoneNumberType,
} from 'libphonenumber-js/max';
import { type NumberRange, rangesOf } from './number-ranges.ts';

/** The destination of a call or a text as far as its price is concerned. */
export interface Destination {
  /** ISO 3166-1 alpha-2; null for numbers without a country, and where the country is ambiguous. */
  readonly country: string | null;
  /** `freephone`: international freephone, which belongs to no country. `premium_rate`: whatever is not known to be ordinary. */
  readonly kind: 'ordinary' | 'freephone' | 'premium_rate' | 'satellite';
}

/** Calling codes of no country are from the ITU's list of assigned codes (E.164). */
const FREEPHONE_CODE = '800';
/** Inmarsat, the global satellite networks, and international networks, which are sold at satellite prices. */
const SATELLITE_CODES = new Set(['870', '881', '882', '883']);
/** Shared cost, personal numbers, disaster relief, premium rate. */
const PREMIUM_CODES = new Set(['808', '878', '888', '979']);
/**
 * Not premium rate, not personal numbers, which forward to anywhere at the caller's expense, and not pagers and voicemail, which
 * share their revenue and have nobody to talk to. The prices of shared cost and UAN are regulated: banks and authorities have them.
 */
const ORDINARY_TYPES: ReadonlySet<PhoneNumberType> = new Set([
  'FIXED_LINE',
  'MOBILE',
  'FIXED_LINE_OR_MOBILE',
  'TOLL_FREE',
  'VOIP',
  'UAN',
  'SHARED_COST',
]);
/** Beginnings of surcharged numbers that the library takes for ordinary ones, by calling code. */
const SURCHARGED: Readonly<Record<string, RegExp>> = {
  // Satellite phones and data networks of Canada; exchanges of premium-rate services.
  '1': /^(?:600|\d{3}976)/,
  // Personal assistants.
  '31': /^8[47]/,
  // Directory enquiries, in area codes without such numbers; those of other countries are of no known range.
  '33': /^118/,
  '36': /^118/,
  '353': /^118/,
  '385': /^118/,
  // Televoting.
  '49': /^13[78]/,
  // Satellite phones.
  '61': /^14/,
  // Services: directory enquiries, competitions.
  '358': /^(?:100|20[02]|300|60|70)/,
};
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
  // The library removes what is dialled before national numbers, which networks may not do.
  if (!parsed?.isPossible() || parsed.number !== number) return undefined;
  const code: string = parsed.countryCallingCode;
  if (SATELLITE_CODES.has(code)) return { country: null, kind: 'satellite' };
  if (code === FREEPHONE_CODE) return { country: null, kind: 'freephone' };
  if (PREMIUM_CODES.has(code)) return { country: null, kind: 'premium_rate' };
  const type = parsed.getType();
  const country = countryOf(parsed, code);
  if (country === null || beginsSurcharged(parsed.nationalNumber, code))
    return { country, kind: country === null ? 'ordinary' : 'premium_rate' };
  if (type !== undefined) return { country, kind: ORDINARY_TYPES.has(type) ? 'ordinary' : 'premium_rate' };
  const likely = likelyCountry(parsed.nationalNumber, code, country);
  return { country: likely ?? country, kind: likely === undefined ? 'premium_rate' : 'ordinary' };
}

/** The numbering plan decides, not the code alone: the United States share theirs with 24 other countries. */
function countryOf({ country }: ParsedNumber, code: string): string | null {
  if (country !== undefined) return PART_OF[country] ?? country;
  return CODES_OF_MANY_PRICES.has(code) ? null : (MAIN_COUNTRIES[code] ?? null);
}

/** Networks ignore what follows a complete number, so every prefix of a number decides. */
function beginsSurcharged(national: string, code: string): boolean {
  if (SURCHARGED[code]?.test(national)) return true;
  return rangesOf(code).some(({ type, complete }) => !ORDINARY_TYPES.has(type) && complete.test(national));
}

/**
 * The country of a number that the library does not know, where it is ordinary: plans open new ranges faster than libraries are
 * updated. It shares more leading digits with ordinary ranges than with others, and has the one length that those have.
 */
function likelyCountry(national: string, code: string, main: string): string | undefined {
  const shared = rangesOf(code).map((range) => ({ range, digits: sharedDigits(national, range) }));
  const most = Math.max(1, ...shared.map(({ digits }) => digits));
  const nearest = shared.filter(({ digits }) => digits === most).map(({ range }) => range);
  const { length } = national;
  if (!nearest.every(({ type, lengths }) => ORDINARY_TYPES.has(type) && lengths.every((other) => other === length)))
    return undefined;
  return nearest.some(({ country }) => country === main) ? main : nearest[0]?.country;
}

function sharedDigits(national: string, { beginning }: NumberRange): number {
  let digits = national.length;
  while (digits > 0 && !beginning.test(national.slice(0, digits))) digits -= 1;
  return digits;
}
