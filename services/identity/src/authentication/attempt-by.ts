import type { Visitor } from '@parley/proto/identity/v1/sign_in_pb';
import { digest } from '@parley/secrets';
import { type Account, emailKeyOf } from '../accounts/account.ts';
import type { Attempt } from './attempt-limits.ts';
import type { AuthenticationDeps } from './authentication-deps.ts';

/** The account of the address, and the attempt. The browser is looked up for an unknown address too, to take the same time. */
export async function attemptBy(
  { accounts, devices, clock }: Pick<AuthenticationDeps, 'accounts' | 'devices' | 'clock'>,
  email: string,
  { device, address }: Visitor,
): Promise<{ account: Account | undefined; attempt: Attempt }> {
  const account = await accounts.byEmail(email);
  const isKnown = await devices.isKnown(device, account?.employeeId ?? '', clock.now());
  return {
    account,
    attempt: { emailKey: emailKeyOf(email), address, knownDevice: isKnown ? digest(device) : undefined },
  };
}
