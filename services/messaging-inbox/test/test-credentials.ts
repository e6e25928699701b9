import { CredentialService } from '@parley/proto/identity/v1/credentials_pb';
import { fakeContract } from '@parley/testkit/service';

/** Identity, in which credentials live until a test lets them expire. */
export function testCredentials() {
  const expired = new Set<string>();
  return {
    expire: (credentialId: string) => void expired.add(credentialId),
    contract: fakeContract(CredentialService, {
      async checkCredential({ credentialId }) {
        return expired.has(credentialId) ? {} : { principal: { credentialId } };
      },
    }),
  };
}
