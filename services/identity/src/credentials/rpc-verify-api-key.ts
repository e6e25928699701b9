import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import type { CredentialService } from '@parley/proto/identity/v1/credentials_pb';
import type { Handler, ServicePrincipal } from '@parley/rpc';
import { digest } from '@parley/secrets';
import { validUntil } from '../api-keys/api-key.ts';
import { principalOf } from './credential-principal.ts';
import type { CredentialDeps } from './credential-deps.ts';

export const verifyApiKeyRpc =
  ({
    apiKeys,
    recordKeyUse,
    currentAccount,
    clock,
  }: CredentialDeps): Handler<typeof CredentialService.method.verifyApiKey, ServicePrincipal> =>
  async (request) => {
    const sent = digest(request.apiKey);
    const key = await apiKeys.byDigest(sent);
    const until = key && validUntil(key, sent, clock.now());
    if (!key || until === undefined) return {};
    const account = await currentAccount(key.employeeId);
    if (!account) return {};
    recordKeyUse(key);
    return {
      principal: principalOf(account, 'api_key', key),
      ...(until !== null && { validUntil: timestampFromDate(until) }),
    };
  };
