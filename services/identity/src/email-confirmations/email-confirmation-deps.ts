import type { EmployeeDirectoryService } from '@parley/proto/directory/v1/employees_pb';
import type { RpcClient } from '@parley/rpc';
import type { AuthenticationDeps } from '../authentication/authentication-deps.ts';

/** What confirming an address works with. */
export interface EmailConfirmationDeps extends AuthenticationDeps {
  readonly directory: Pick<RpcClient<typeof EmployeeDirectoryService>, 'confirmEmail'>;
  /** There is an e-mail to send. */
  readonly mailPlanned: () => void;
}
