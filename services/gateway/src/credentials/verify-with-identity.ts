import type { CredentialType } from '@parley/rpc';
import type { Clients } from '../peers/peers.ts';
import { credentialTypeToProto, employeePrincipal } from './employee-principal.ts';
import type { VerifyCredential } from './verified-credentials.ts';

/** Verifies a credential that something was given to before, as `<type>.<id>`. It is no secret: what was given is signed. */
export const verifyCredentialById =
  ({ credentials }: Pick<Clients, 'credentials'>): VerifyCredential =>
  async (givenTo) => {
    const [type = '', credentialId = ''] = givenTo.split('.');
    if (!Object.hasOwn(credentialTypeToProto, type) || credentialId === '') return undefined;
    const credentialType = credentialTypeToProto[type as CredentialType];
    return employeePrincipal((await credentials.checkCredential({ credentialType, credentialId })).principal);
  };

export const verifyAccessToken =
  ({ credentials }: Clients): VerifyCredential =>
  async (accessToken) =>
    employeePrincipal((await credentials.verifyAccessToken({ accessToken })).principal);

export const verifyApiKey =
  ({ credentials }: Clients): VerifyCredential =>
  async (apiKey) =>
    employeePrincipal((await credentials.verifyApiKey({ apiKey })).principal);
