/** A written amount of money: nine digits, six of them behind the point. */
const WRITTEN = /^(\d{1,9})(?:\.(\d{1,6}))?$/;
const WRITTEN_DIGITS = 6;
/** Tokens cost millionths of a price that is in millionths. */
const EXACT_DIGITS = 12;

/** An amount of money in millionths of its currency; undefined for what is no decimal number, is negative or has too many digits. */
export function readMillionths(text: string): bigint | undefined {
  const [, whole, fraction = ''] = WRITTEN.exec(text) ?? [];
  return whole === undefined ? undefined : BigInt(whole + fraction.padEnd(WRITTEN_DIGITS, '0'));
}

/** An exact amount is in millionths of millionths: what a token costs is one of them or more. */
export function exactAmount(millionths: bigint): bigint {
  return millionths * 10n ** BigInt(EXACT_DIGITS - WRITTEN_DIGITS);
}

/** An exact amount as a decimal number, without zeros at its end. */
export function decimalOf(exact: bigint): string {
  const digits = exact.toString().padStart(EXACT_DIGITS + 1, '0');
  const fraction = digits.slice(-EXACT_DIGITS).replace(/0+$/, '');
  const whole = digits.slice(0, -EXACT_DIGITS);
  return fraction === '' ? whole : `${whole}.${fraction}`;
}
