import type { Clients } from '../peers/peers.ts';
import { employeePrincipal } from './employee-principal.ts';
import type { VerifyCredential } from './verified-credentials.ts';

export const verifyAccessToken =
  ({ credentials }: Clients): VerifyCredential =>
  async (accessToken) =>
    employeePrincipal((await credentials.verifyAccessToken({ accessToken })).principal);
