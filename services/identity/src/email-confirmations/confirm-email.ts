import { Refused } from '@parley/errors';
import type { Account } from '../accounts/account.ts';
import type { EmailConfirmationDeps } from './email-confirmation-deps.ts';

/**
 * Confirms the new address at directory, which owns it, and applies the result here at once; after a crash in between the event
 * does. False when the address was changed again or the employee was deleted meanwhile.
 */
export async function confirmEmail(
  { accounts, directory, mailPlanned }: EmailConfirmationDeps,
  { employeeId, unconfirmedEmail }: Account,
): Promise<boolean> {
  if (!unconfirmedEmail) return false;
  try {
    const { employee } = await directory.confirmEmail({ employeeId, emailChange: BigInt(unconfirmedEmail.change) });
    if (employee) await accounts.ensure(employee);
  } catch (error) {
    if (error instanceof Refused && error.refusal.code === 'not_found') return false;
    throw error;
  }
  mailPlanned();
  return true;
}
