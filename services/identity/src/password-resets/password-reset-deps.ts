import type { AuthenticationDeps } from '../authentication/authentication-deps.ts';
import type { ResetRequests } from './reset-request-store.ts';

/** What password resets work with. */
export interface PasswordResetDeps extends AuthenticationDeps {
  readonly resetRequests: ResetRequests;
  /** There is an e-mail to send. */
  readonly mailPlanned: () => void;
}
