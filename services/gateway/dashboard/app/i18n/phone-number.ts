/** Country codes of one and two digits; all others have three. */
const ONE_DIGIT = /^[17]/;
const TWO_DIGITS = /^(?:20|27|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58])/;

/** The groups in which a phone number is read, as +45 20 30 40 11; undefined for what is no international number. */
export function phoneGroups(phoneNumber: string): readonly string[] | undefined {
  const digits = /^\+(\d{6,15})$/.exec(phoneNumber)?.[1];
  if (digits === undefined) return undefined;
  const codeLength = ONE_DIGIT.test(digits) ? 1 : TWO_DIGITS.test(digits) ? 2 : 3;
  return [`+${digits.slice(0, codeLength)}`, ...nationalGroups(digits.slice(codeLength), codeLength === 1)];
}

/** The number in groups; anything else as it is. */
export function phoneText(phoneNumber: string): string {
  return phoneGroups(phoneNumber)?.join(' ') ?? phoneNumber;
}

function nationalGroups(digits: string, isNorthAmerican: boolean): string[] {
  if (isNorthAmerican && digits.length === 10) return [digits.slice(0, 3), digits.slice(3, 6), digits.slice(6)];
  if (digits.length <= 8 && digits.length % 2 === 0) return digits.match(/../g) ?? [];
  // Threes, and what remains in front: a last group of one digit is hard to read.
  const first = digits.length % 3 === 0 ? 3 : digits.length % 3 === 1 ? 4 : 2;
  return [digits.slice(0, first), ...(digits.slice(first).match(/.../g) ?? [])];
}
