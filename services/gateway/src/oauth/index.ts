import type { ForgetCredential } from '../credentials/forget-credential.ts';
import type { AddressOf } from '../pages/visitor.ts';
import type { Clients } from '../peers.ts';
import { register } from './register.ts';
import { revoke } from './revoke.ts';
import { token } from './token.ts';

/** The OAuth endpoints that programs call; the one that browsers visit is among the pages. */
export const oauthRoutes = (clients: Clients, forget: ForgetCredential, addressOf: AddressOf) => [
  register(clients, addressOf),
  token(clients, forget),
  revoke(clients, forget),
];
