import { CredentialType as ProtoType, type Principal } from '@parley/proto/identity/v1/credentials_pb';
import { roleFromProto } from '@parley/actor';
import { type CredentialType, type EmployeePrincipal, Unavailable } from '@parley/rpc';
import type { Clients } from '../peers/peers.ts';
import type { VerifyCredential } from './verified-credentials.ts';
import { unauthorized } from '@parley/http';

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

const credentialTypeToProto: Readonly<Record<CredentialType, ProtoType>> = {
  api_key: ProtoType.API_KEY,
  oauth_token: ProtoType.OAUTH_TOKEN,
  session: ProtoType.SESSION,
};

/**
 * Undoes what was just made with a credential that has ended since it was verified: whoever ended it may not have seen what was made, but
 * this sees the end.
 */
export async function undoIfEnded(
  { credentials }: Pick<Clients, 'credentials'>,
  { credentialId, credentialType }: EmployeePrincipal,
  undo: () => Promise<unknown>,
): Promise<void> {
  const asked = { credentialId, credentialType: credentialTypeToProto[credentialType] };
  if ((await credentials.checkCredential(asked)).principal) return;
  await undo();
  throw unauthorized('The credential has ended');
}

/** The principal that identity has verified; undefined when the credential is not valid. */
export function employeePrincipal(verified: Principal | undefined): EmployeePrincipal | undefined {
  if (!verified) return undefined;
  const { companyId, employeeId, employeeName, credentialId, credentialName } = verified;
  const role = roleFromProto(verified.role);
  const credentialType = credentialTypeFromProto(verified.credentialType);
  // A later version of identity has more of them, during a rolling update. The credential is valid, so this is no reason to drop it.
  if (role === undefined || credentialType === undefined) throw new Unavailable('identity named no role');
  const credential = { credentialId, credentialType, credentialName };
  return { kind: 'employee', companyId, employeeId, employeeName, role, ...credential };
}

function credentialTypeFromProto(type: ProtoType): CredentialType | undefined {
  const types = Object.keys(credentialTypeToProto) as CredentialType[];
  return types.find((name) => credentialTypeToProto[name] === type);
}
