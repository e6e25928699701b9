import { randomInt } from 'node:crypto';

/** RFC 8628 section 6.1: letters without vowels, so that no words appear, and none that are mistaken for digits. */
const ALPHABET = 'BCDFGHJKLMNPQRSTVWXZ';
const HALF = 4;
const WRITTEN = new RegExp(`^\\s*([${ALPHABET}]{${HALF}})[\\s-]*([${ALPHABET}]{${HALF}})\\s*$`, 'i');

/** 20^8 codes: a guess within the ten minutes of a code is hopeless under the limits of wrong codes. */
export function newUserCode(): string {
  const half = () => Array.from({ length: HALF }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
  return `${half()}-${half()}`;
}

/** The code as it was shown, from what was typed; undefined when it cannot be one. */
export function readUserCode(typed: string): string | undefined {
  const [, first, second] = WRITTEN.exec(typed) ?? [];
  return first === undefined || second === undefined ? undefined : `${first}-${second}`.toUpperCase();
}
