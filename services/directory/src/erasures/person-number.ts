import { invalid, type Refusal } from '@parley/errors';
import { readPhoneNumber } from '@parley/phone-numbers';

/** The number of a person outside the company, E.164; `country` is the company's. */
export function personNumber(
  given: { readonly phoneNumber: string; readonly businessNumbers: readonly string[] },
  country: string,
): { readonly number: string } | { readonly refusal: Refusal } {
  const phone = readPhoneNumber(given.phoneNumber, country);
  if (!phone) {
    const problem = given.phoneNumber.trim() === '' ? 'is required' : 'is not a valid phone number';
    return { refusal: invalid({ phone_number: [problem] }) };
  }
  // It is in every call and text of the company.
  if (given.businessNumbers.includes(phone.number))
    return { refusal: invalid({ phone_number: ['is a business number of the company'] }) };
  return { number: phone.number };
}
