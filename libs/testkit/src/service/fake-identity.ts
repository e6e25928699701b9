import { CredentialService, CredentialType } from '@parley/proto/identity/v1/credentials_pb';
import { Role } from '@parley/proto/directory/v1/employees_pb';
import { type FakeContract, fakeContract } from '@parley/stubs';

/** Whose a credential is. */
export interface FakePrincipal {
  readonly companyId: string;
  readonly employeeId: string;
  readonly credentialId: string;
  /** Owner unless another is given. */
  readonly role?: Role;
}

/** The part of identity that verifies API keys and access tokens. */
export interface FakeIdentity {
  readonly contracts: readonly FakeContract[];
  /** API keys and access tokens that are valid. */
  readonly credentials: Map<string, FakePrincipal>;
  /** Every credential that was verified. */
  readonly verified: string[];
}

export function fakeIdentity(): FakeIdentity {
  const credentials = new Map<string, FakePrincipal>();
  const verified: string[] = [];
  const verify = async (credential: string) => {
    verified.push(credential);
    const principal = credentials.get(credential);
    return principal ? { principal: { role: Role.OWNER, credentialType: CredentialType.API_KEY, ...principal } } : {};
  };
  const contract = fakeContract(CredentialService, {
    verifyApiKey: ({ apiKey }) => verify(apiKey),
    verifyAccessToken: ({ accessToken }) => verify(accessToken),
  });
  return { contracts: [contract], credentials, verified };
}
