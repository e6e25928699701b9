import { randomBytes, randomInt } from 'node:crypto';

/** A word that nothing else has. */
export function freshWord(): string {
  return randomBytes(6).toString('hex');
}

const used = new Set<string>();

/** The phone number of a customer, in E.164; no other check has it. */
export function freshPhone(): string {
  return fresh('+4520', 6);
}

/** A number that a company may be given. */
export function freshBusinessNumber(): string {
  return fresh('+457', 7);
}

function fresh(prefix: string, digits: number): string {
  for (;;) {
    const number = prefix + String(randomInt(10 ** digits)).padStart(digits, '0');
    if (used.has(number)) continue;
    used.add(number);
    return number;
  }
}
