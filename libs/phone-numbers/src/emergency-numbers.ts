/** Dialled by people of any country; networks route them to the nearest emergency service. */
const EVERYWHERE = ['112', '911', '999'];

/**
 * Emergency numbers of a country besides those. Short numbers are not part of the numbering plans that libphonenumber-js
 * knows; these are from the `emergency` and `expandedEmergency` ranges of Google's libphonenumber
 * (ShortNumberMetadata.xml) and the regulators' lists, for the countries in which companies can be.
 */
const BY_COUNTRY = new Map<string, readonly string[]>(
  Object.entries({
    AT: ['122', '133', '140', '141', '144'],
    AU: ['000', '106'],
    BE: ['100', '101', '102'],
    BG: ['150', '160', '166'],
    CA: [],
    CH: ['117', '118', '144', '1414', '1415'],
    CY: ['199'],
    CZ: ['150', '155', '156', '158'],
    DE: ['110'],
    DK: [],
    EE: ['110'],
    ES: ['061', '062', '080', '085', '088', '091', '092'],
    FI: [],
    FR: ['15', '17', '18', '114', '115', '119', '191', '196', '197'],
    GB: [],
    GR: ['100', '108', '166', '199'],
    HR: ['192', '193', '194', '195'],
    HU: ['104', '105', '107'],
    IE: [],
    IS: [],
    IT: ['113', '115', '118', '1530'],
    LI: ['117', '118', '144'],
    LT: ['101', '102', '103'],
    LU: ['113'],
    LV: ['110', '113'],
    MT: ['191', '196', '199'],
    NL: [],
    NO: ['110', '113'],
    NZ: ['111'],
    PL: ['984', '985', '986', '997', '998'],
    PT: ['115', '117'],
    RO: [],
    SE: ['90000'],
    SI: ['113'],
    SK: ['150', '155', '158', '159'],
    US: [],
  }),
);

/** Digits and what people write between them; a plus sign begins another kind of number. */
const WRITTEN = /^[\d\s().\-/]{2,20}$/;

/** The digits of an emergency number, as people write it in this country; undefined for any other number. */
export function readEmergencyNumber(written: string, country: string): string | undefined {
  const text = written.normalize('NFKC').replaceAll(/\p{Cf}/gu, '');
  if (!WRITTEN.test(text)) return undefined;
  const digits = text.replaceAll(/\D/g, '');
  return EVERYWHERE.includes(digits) || BY_COUNTRY.get(country)?.includes(digits) ? digits : undefined;
}

/** Where another number than 112 is the one to dial first; of the countries in which companies can be. */
const FIRST_NUMBERS = new Map([
  ['AU', '000'],
  ['CA', '911'],
  ['GB', '999'],
  ['NZ', '111'],
  ['US', '911'],
]);

/** The number that people in this country dial in any emergency. */
export function emergencyNumberOf(country: string): string {
  return FIRST_NUMBERS.get(country) ?? '112';
}
