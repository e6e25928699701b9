import { HttpError } from '@parley/http';

/** A code that only the pages of the account know; they have the words for it. */
export function accountError(
  status: 409 | 422 | 429,
  code: 'wrong_code' | 'wrong_password' | 'password_required' | 'rate_limited' | 'two_factor_required',
  retryAfterSecs?: number,
): HttpError {
  const headers = retryAfterSecs === undefined ? undefined : { 'Retry-After': String(retryAfterSecs) };
  return new HttpError(status, { error: code, code }, headers);
}
