import { readPhoneNumber } from '@parley/phone-numbers';
import { ANONYMOUS } from '../../calls/decide/new-call.ts';

/** Number formats of carriers: E.164, with 00, or without a prefix. Undefined for other values such as `anonymous`. */
export function internationalNumber(written: string): string | undefined {
  const digits = written.trim().replace(/^00|^\+/, '');
  return /^[1-9]\d{4,14}$/.test(digits) ? `+${digits}` : undefined;
}

/**
 * The caller's number. Digits that no country has with its prefix are read as a number of the called company's country,
 * where that is known.
 */
export function callerNumber(written: string, country: string | undefined): string {
  const international = internationalNumber(written);
  const isMarked = /^\s*(\+|00)/.test(written);
  if (international !== undefined && (isMarked || readPhoneNumber(international, '') !== undefined))
    return international;
  if (!/^\s*\d+\s*$/.test(written)) return international ?? ANONYMOUS;
  const national = readPhoneNumber(written, country ?? '');
  return national?.number ?? international ?? ANONYMOUS;
}
