import { type CountryCode, Metadata, type PhoneNumberType } from 'libphonenumber-js/max';

/** The numbers of one kind that a country has. */
export interface NumberRange {
  readonly country: string;
  readonly type: PhoneNumberType;
  /** Lengths of its national numbers. */
  readonly lengths: readonly number[];
  /** Matches what begins with a complete number of the range. */
  readonly complete: RegExp;
  /** Matches what a number of the range may begin with. */
  readonly beginning: RegExp;
}

/** Part of the library and missing in its type declarations. */
interface PlanMetadata {
  selectNumberingPlan(country: CountryCode): void;
  getCountryCodesForCallingCode(code: string): readonly CountryCode[];
  type(type: PhoneNumberType): { pattern(): string; possibleLengths(): readonly number[] } | undefined;
}

const TYPES: readonly PhoneNumberType[] = [
  'FIXED_LINE',
  'MOBILE',
  'TOLL_FREE',
  'PREMIUM_RATE',
  'PERSONAL_NUMBER',
  'VOICEMAIL',
  'UAN',
  'PAGER',
  'VOIP',
  'SHARED_COST',
];
/** What is repeated, which stays as it is, or one digit of a pattern. */
const PATTERN_PART = /\{[\d,]+\}|\\d|\[[^\]]*\]|\d/g;

const rangesByCode = new Map<string, readonly NumberRange[]>();

/** The ranges of all countries with this calling code. */
export function rangesOf(callingCode: string): readonly NumberRange[] {
  const known = rangesByCode.get(callingCode) ?? readRanges(callingCode);
  rangesByCode.set(callingCode, known);
  return known;
}

function readRanges(callingCode: string): NumberRange[] {
  const metadata = new Metadata() as unknown as PlanMetadata;
  return metadata.getCountryCodesForCallingCode(callingCode).flatMap((country) => {
    metadata.selectNumberingPlan(country);
    return TYPES.flatMap((type) => {
      const numbers = metadata.type(type);
      const pattern = numbers?.pattern();
      // Empty where mobiles have the numbers of fixed lines.
      if (!numbers || !pattern) return [];
      // Once the digits are used up, every further one is satisfied.
      const partial = pattern.replaceAll(PATTERN_PART, (part) => (part.startsWith('{') ? part : `(?:${part}|$)`));
      return {
        country,
        type,
        lengths: numbers.possibleLengths(),
        complete: new RegExp(`^(?:${pattern})`),
        beginning: new RegExp(`^(?:${partial})$`),
      };
    });
  });
}
