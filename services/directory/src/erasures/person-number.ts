import { invalid, type Refusal } from '@parley/errors';
import { NOBODY } from '@parley/personal-data';
import { readPhoneNumber } from '@parley/phone-numbers';

export interface GivenPerson {
  readonly phoneNumber: string;
  /** The number is that of a thread in the inbox, as it is shown there. */
  readonly isOfThread?: boolean;
  readonly businessNumbers: readonly string[];
}

/** What calls have in place of a number; it is many people's, or nobody's. */
const NOT_A_PERSON = ['anonymous', NOBODY];

/** The number of a person outside the company: E.164, or the short code or name of a sender. `country` is the company's. */
export function personNumber(
  given: GivenPerson,
  country: string,
): { readonly number: string } | { readonly refusal: Refusal } {
  const { phoneNumber, isOfThread = false, businessNumbers } = given;
  const number = isOfThread ? phoneNumber : readPhoneNumber(phoneNumber, country)?.number;
  if (number === undefined || NOT_A_PERSON.includes(number)) {
    const problem = phoneNumber.trim() === '' ? 'is required' : 'is not a valid phone number';
    return { refusal: invalid({ phone_number: [problem] }) };
  }
  // It is in every call and text of the company.
  if (businessNumbers.includes(number))
    return { refusal: invalid({ phone_number: ['is a business number of the company'] }) };
  return { number };
}
