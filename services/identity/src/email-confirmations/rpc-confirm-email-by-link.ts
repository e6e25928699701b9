import type { EmailConfirmationService } from '@parley/proto/identity/v1/email_confirmations_pb';
import type { Handler, ServicePrincipal } from '@parley/rpc';
import { digest } from '@parley/secrets';
import { confirmEmail } from './confirm-email.ts';
import { emailOfLink } from '../accounts/email-confirmation.ts';
import type { EmailConfirmationDeps } from './email-confirmation-deps.ts';

export const confirmEmailByLinkRpc =
  (deps: EmailConfirmationDeps): Handler<typeof EmailConfirmationService.method.confirmEmailByLink, ServicePrincipal> =>
  async ({ token }) => {
    const account = await deps.accounts.byEmailConfirmation(digest(token));
    const isValid = account !== undefined && emailOfLink(account, digest(token), deps.clock.now()) !== undefined;
    return { confirmed: isValid && (await confirmEmail(deps, account)) };
  };
