import { CredentialType as ProtoType, type Principal } from '@parley/proto/identity/v1/credentials_pb';
import { roleFromProto } from '@parley/actor';
import { type CredentialType, type EmployeePrincipal, Unavailable } from '@parley/rpc';

export const credentialTypeToProto: Readonly<Record<CredentialType, ProtoType>> = {
  api_key: ProtoType.API_KEY,
  oauth_token: ProtoType.OAUTH_TOKEN,
  session: ProtoType.SESSION,
};

/** The principal that identity has verified; undefined when the credential is not valid. */
export function employeePrincipal(verified: Principal | undefined): EmployeePrincipal | undefined {
  if (!verified) return undefined;
  const { companyId, employeeId, employeeName, credentialId, credentialName } = verified;
  const role = roleFromProto(verified.role);
  const credentialType = credentialTypeFromProto(verified.credentialType);
  // Identity has not been upgraded yet. The credential is valid, so this is no reason to drop it.
  if (role === undefined || credentialType === undefined) throw new Unavailable('identity named no role');
  const credential = { credentialId, credentialType, credentialName };
  return { kind: 'employee', companyId, employeeId, employeeName, role, ...credential };
}

function credentialTypeFromProto(type: ProtoType): CredentialType | undefined {
  const types = Object.keys(credentialTypeToProto) as CredentialType[];
  return types.find((name) => credentialTypeToProto[name] === type);
}
