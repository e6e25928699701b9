import type { Clients } from '../peers/peers.ts';
import type { VerifyCredential } from './verified-credentials.ts';

export const verifyApiKey =
  ({ credentials }: Clients): VerifyCredential =>
  async (apiKey) => {
    const { principal } = await credentials.verifyApiKey({ apiKey });
    if (!principal) return undefined;
    const { companyId, employeeId, credentialId } = principal;
    return { kind: 'employee', companyId, employeeId, credentialId };
  };
