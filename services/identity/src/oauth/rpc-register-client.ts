import { newId } from '@parley/ids';
import type { OAuthService } from '@parley/proto/identity/v1/oauth_pb';
import type { Handler, ServicePrincipal } from '@parley/rpc';
import { oauthError } from '../oauth-protocol/oauth-error.ts';
import type { OAuthDeps } from './oauth-deps.ts';
import { readClientMetadata, registeredClient } from '../oauth-clients/oauth-client.ts';
import { clientToProto } from './oauth-client-proto.ts';

/** Registration is open, so storage is bounded: about 9 kB for each of these. */
const REGISTRATIONS = { max: 300, windowSecs: 60 };
const REGISTRATIONS_PER_DAY = { max: 2000, windowSecs: 24 * 3600 };
const tooManyRegistrations = oauthError('temporarily_unavailable', 'too many registrations; try again later');

export const registerClientRpc =
  ({ clients, throttles, clock }: OAuthDeps): Handler<typeof OAuthService.method.registerClient, ServicePrincipal> =>
  async ({ redirectUris, clientName, address }) => {
    const result = await throttles.consume(['registrations', address], REGISTRATIONS);
    if (!result.allowed) return { outcome: { case: 'error', value: tooManyRegistrations } };
    const read = readClientMetadata({ redirectUris, clientName }, { customSchemes: false });
    if (!read.ok) return { outcome: { case: 'error', value: read.error } };
    const stored = await throttles.consume(['registrations in a day', address], REGISTRATIONS_PER_DAY);
    if (!stored.allowed) return { outcome: { case: 'error', value: tooManyRegistrations } };
    const client = registeredClient(newId('app'), read.details, clock.now());
    await clients.add(client);
    return { outcome: { case: 'client', value: clientToProto(client) } };
  };
