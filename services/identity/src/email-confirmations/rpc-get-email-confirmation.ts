import type { EmailConfirmationService } from '@parley/proto/identity/v1/email_confirmations_pb';
import type { Handler, ServicePrincipal } from '@parley/rpc';
import { digest } from '@parley/secrets';
import { emailOfLink } from '../accounts/email-confirmation.ts';
import type { EmailConfirmationDeps } from './email-confirmation-deps.ts';

export const getEmailConfirmationRpc =
  ({
    accounts,
    clock,
  }: EmailConfirmationDeps): Handler<typeof EmailConfirmationService.method.getEmailConfirmation, ServicePrincipal> =>
  async ({ token }) => {
    const account = await accounts.byEmailConfirmation(digest(token));
    const unconfirmed = account && emailOfLink(account, digest(token), clock.now());
    return unconfirmed ? { valid: true, email: unconfirmed.email } : { valid: false };
  };
