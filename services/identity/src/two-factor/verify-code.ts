import { Refused } from '@parley/errors';
import type { Account } from '../accounts/account.ts';
import type { AuthenticationDeps } from '../authentication/authentication.ts';
import { consumeCode, wrongCode } from './two-factor.ts';

/** Authenticated with the ciphertext: the secret cannot be moved to another account. */
export function secretContext(account: Pick<Account, 'id'>): string {
  return `account/${account.id}/two-factor`;
}

/** Returns whether the code is valid; a valid one is used up in the same write. */
export async function verifyCode(
  { accounts, encryptor, clock }: Pick<AuthenticationDeps, 'accounts' | 'encryptor' | 'clock'>,
  account: Account,
  code: string,
): Promise<boolean> {
  const decrypt = (encrypted: string) => encryptor.decrypt(encrypted, secretContext(account));
  try {
    await accounts
      .of(account.companyId)
      .change(account.id, (current) => consumeCode(current, decrypt, code, clock.now()));
    return true;
  } catch (error) {
    if (error instanceof Refused && error.refusal === wrongCode) return false;
    throw error;
  }
}
