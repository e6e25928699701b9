import type { Clients } from '../peers/peers.ts';
import type { VerifyCredential } from './verified-credentials.ts';

export const verifyAccessToken =
  ({ credentials }: Clients): VerifyCredential =>
  async (accessToken) => {
    const { principal } = await credentials.verifyAccessToken({ accessToken });
    if (!principal) return undefined;
    const { companyId, employeeId, credentialId } = principal;
    return { kind: 'employee', companyId, employeeId, credentialId };
  };
