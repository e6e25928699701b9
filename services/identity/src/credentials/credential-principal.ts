import type { MessageInitShape } from '@bufbuild/protobuf';
import { CredentialType, type PrincipalSchema } from '@parley/proto/identity/v1/credentials_pb';
import { type Role, roleToProto } from '@parley/actor';
import type { Account } from '../accounts/account.ts';

const credentialTypes = {
  api_key: CredentialType.API_KEY,
  oauth_token: CredentialType.OAUTH_TOKEN,
  session: CredentialType.SESSION,
} as const;

/** Whom a credential acts for, and what the credential is. */
export function principalOf(
  {
    companyId,
    employeeId,
    name: employeeName,
    role,
  }: Pick<Account, 'companyId' | 'employeeId' | 'name'> & {
    readonly role: Role;
  },
  type: keyof typeof credentialTypes,
  { id, name }: { readonly id: string; readonly name: string },
): MessageInitShape<typeof PrincipalSchema> {
  const credential = { credentialId: id, credentialType: credentialTypes[type], credentialName: name };
  return { companyId, employeeId, employeeName, role: roleToProto[role], ...credential };
}
