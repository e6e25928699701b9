import { EmailConfirmationService } from '@parley/proto/identity/v1/email_confirmations_pb';
import { type RpcServer, services } from '@parley/rpc';
import type { EmailConfirmationDeps } from './email-confirmation-deps.ts';
import { confirmEmailByLinkRpc } from './rpc-confirm-email-by-link.ts';
import { confirmEmailBySessionRpc } from './rpc-confirm-email-by-session.ts';
import { getEmailConfirmationRpc } from './rpc-get-email-confirmation.ts';

/** Every RPC of the contract and the file of its handler. */
export function addEmailConfirmationService(server: RpcServer, deps: EmailConfirmationDeps): void {
  server.add(EmailConfirmationService, services('gateway'), {
    getEmailConfirmation: getEmailConfirmationRpc(deps),
    confirmEmailByLink: confirmEmailByLinkRpc(deps),
    confirmEmailBySession: confirmEmailBySessionRpc(deps),
  });
}
