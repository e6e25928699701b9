import { type Decision, decided, notFound, refused } from '@parley/errors';
import { type Account, type AccountEvent, type UnconfirmedEmail, isOpen } from './account.ts';

const LINK_LIFETIME_MS = 7 * 24 * 3600 * 1000;
/** An e-mail may have to be sent again; more than these are not out at once. */
const DIGESTS_MAX = 10;

/** Notes a link that is about to be sent to the old address; refused when the change is not the current one any more. */
export function noteConfirmationLink(
  current: Account,
  change: number,
  digest: string,
  now: Date,
): Decision<Account, AccountEvent> {
  const { unconfirmedEmail } = current;
  if (!isOpen(current) || unconfirmedEmail?.change !== change) return refused(notFound);
  const digests = [...unconfirmedEmail.digests, digest].slice(-DIGESTS_MAX);
  const expiresAt = new Date(now.getTime() + LINK_LIFETIME_MS);
  return decided({ ...current, unconfirmedEmail: { ...unconfirmedEmail, digests, expiresAt } });
}

/** The address that a link confirms; undefined for a link that has expired, is of an earlier change or of somebody who is deactivated. */
export function emailOfLink(account: Account, digest: string, now: Date): UnconfirmedEmail | undefined {
  const { unconfirmedEmail } = account;
  if (!isOpen(account)) return undefined;
  if (!unconfirmedEmail?.digests.includes(digest) || !unconfirmedEmail.expiresAt) return undefined;
  return unconfirmedEmail.expiresAt > now ? unconfirmedEmail : undefined;
}

/** An employee confirms their own address, an owner that of anybody in the company. */
export function mayConfirmEmail(
  by: Pick<Account, 'employeeId' | 'companyId' | 'role'>,
  of: Pick<Account, 'employeeId' | 'companyId'>,
): boolean {
  return by.companyId === of.companyId && (by.employeeId === of.employeeId || by.role === 'owner');
}
