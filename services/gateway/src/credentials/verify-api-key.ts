import type { Clients } from '../peers/peers.ts';
import { employeePrincipal } from './employee-principal.ts';
import type { VerifyCredential } from './verified-credentials.ts';

export const verifyApiKey =
  ({ credentials }: Clients): VerifyCredential =>
  async (apiKey) =>
    employeePrincipal((await credentials.verifyApiKey({ apiKey })).principal);
