import { addressKey, endpoint, json } from '@parley/http';
import { z } from 'zod';
import type { AddressOf } from '../client-address/client-address.ts';
import type { Clients } from '../peers/peers.ts';
import type { BaseUrl } from '../well-known/base-url.ts';
import { oauthHttpError, refusesWith } from './oauth-json.ts';
import {
  foreignResource,
  isOwnResource,
  parameter,
  readParameters,
  resourceParameter,
  scopeParameter,
} from './oauth-parameters.ts';

const deviceForm = z
  .object({ client_id: parameter, scope: scopeParameter, resource: resourceParameter })
  .meta({ id: 'OAuthDeviceAuthorizationRequest' });

const deviceSchema = z
  .object({
    device_code: z.string().describe('For the token endpoint; a secret.'),
    user_code: z.string().describe('For the employee: `WDJB-MJHT`.'),
    verification_uri: z.string().describe('Where the employee enters the user code.'),
    verification_uri_complete: z.string().describe('The same page, with the user code filled in.'),
    expires_in: z.int().describe('Seconds.'),
    interval: z.int().describe('Seconds between two requests for tokens.'),
  })
  .meta({ id: 'OAuthDeviceAuthorization' });

/** RFC 8628 section 3.1. */
export const deviceAuthorization = ({ deviceAuthorizations }: Clients, baseUrl: BaseUrl, addressOf: AddressOf) =>
  endpoint('none')({
    route: 'POST /oauth/device_authorization',
    tag: 'OAuth',
    summary: 'Begin a device authorization',
    operationId: 'beginDeviceAuthorization',
    description:
      'RFC 8628, for programs without a browser: `parley-cli` and clients that the operator has issued for it. Show the employee `user_code` and `verification_uri`, and ask the token endpoint every `interval` seconds.',
    documents: { body: deviceForm },
    bodySentAs: 'form',
    bodyBytesMax: 64 * 1024,
    responses: { 200: deviceSchema },
    errors: {
      400: refusesWith('invalid_request', 'invalid_scope', 'invalid_target', 'unauthorized_client'),
      401: refusesWith('invalid_client'),
      429: refusesWith('temporarily_unavailable'),
    },
    async handle({ form, request }) {
      const read = readParameters(deviceForm, form ?? new URLSearchParams());
      if (!read.ok) throw oauthHttpError({ status: 400, ...read.problem });
      const { client_id: clientId, scope, resource } = read.parameters;
      const base = baseUrl(request);
      if (!isOwnResource(resource, base)) throw oauthHttpError({ status: 400, ...foreignResource });
      const { outcome } = await deviceAuthorizations.beginDeviceAuthorization({
        clientId,
        scope,
        address: addressOf(request),
        network: addressKey(addressOf(request)),
        userAgent: request.headers['user-agent'] ?? '',
      });
      if (outcome.case === 'error') throw oauthHttpError(outcome.value);
      if (outcome.case === undefined) throw new Error('identity returned no outcome');
      const { deviceCode, userCode, expiresInSecs, intervalSecs } = outcome.value;
      const body = {
        device_code: deviceCode,
        user_code: userCode,
        verification_uri: `${base}/device`,
        verification_uri_complete: `${base}/device?${new URLSearchParams({ user_code: userCode })}`,
        expires_in: expiresInSecs,
        interval: intervalSecs,
      };
      return json(200, body, { Pragma: 'no-cache' });
    },
  });
