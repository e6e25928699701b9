import type { EvictCredential } from '../credentials/evict-credential.ts';
import type { AddressOf } from '../client-address/client-address.ts';
import type { Clients } from '../peers/peers.ts';
import type { BaseUrl } from '../well-known/base-url.ts';
import { register } from './register.ts';
import { revoke } from './revoke.ts';
import { token } from './token.ts';

/** The OAuth endpoints that programs call; `/oauth/authorize`, which browsers visit, is one of the pages. */
export const oauthEndpoints = (clients: Clients, evict: EvictCredential, addressOf: AddressOf, baseUrl: BaseUrl) => [
  register(clients, addressOf),
  token(clients, evict, baseUrl),
  revoke(clients, evict),
];
