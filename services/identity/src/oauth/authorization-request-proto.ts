import type { AuthorizationRequest as AuthorizationRequestMessage } from '@parley/proto/identity/v1/oauth_pb';
import type { AuthorizationRequest } from '../authorization/authorization-request.ts';

export function authorizationRequestFromProto(message: AuthorizationRequestMessage | undefined): AuthorizationRequest {
  const parameters = message?.parameters;
  if (!message || !parameters?.case) throw new Error('an authorization request without parameters');
  const { clientId, redirectUri, state, issuer } = message;
  return { clientId, redirectUri, state, issuer, parameters: parameters.value };
}
