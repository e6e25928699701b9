import { empty, endpoint, json } from '@parley/http';
import type { OperatorPrincipal } from '@parley/rpc';
import { z } from 'zod';
import type { EvictCredential } from '../../credentials/verified-credentials.ts';
import { clientJson, clientSchema } from '../../oauth/oauth-json.ts';
import type { Clients } from '../../peers/peers.ts';
import { boundedText, lineText, urlText } from '../../routes/shared/bounded-text.ts';

export const credentialEndpoints = (clients: Clients, evict: EvictCredential) => [
  createApiKey(clients),
  revokeApiKey(clients, evict),
  setPassword(clients),
  resetTwoFactor(clients, evict),
  createOAuthClient(clients),
];

const createApiKey = ({ apiKeyAdmin, employeeLookup }: Clients) =>
  endpoint<OperatorPrincipal>('none')({
    route: 'POST /employees/:id/api_keys',
    summary: 'Create an API key',
    description: 'The key is shown here and never again.',
    body: z.object({ name: lineText(128) }),
    responses: { 201: z.object({ id: z.string(), name: z.string(), api_key: z.string() }) },
    errors: [404, 422],
    async handle({ params, body, context }) {
      const { employee } = await employeeLookup.getEmployee({ id: params.id }, { as: context });
      const { id, name, apiKey } = await apiKeyAdmin.createApiKey(
        { employeeId: params.id, companyId: employee?.companyId ?? '', name: body.name },
        { as: context },
      );
      return json(201, { id, name, api_key: apiKey });
    },
  });

const revokeApiKey = ({ apiKeyAdmin }: Clients, evict: EvictCredential) =>
  endpoint<OperatorPrincipal>('none')({
    route: 'DELETE /api_keys/:id',
    summary: 'Revoke an API key',
    responses: { 204: null },
    errors: [404],
    async handle({ params, context }) {
      await apiKeyAdmin.revokeApiKey({ id: params.id }, { as: context });
      evict({ credentialId: params.id, employeeId: '' });
      return empty(204);
    },
  });

const setPassword = ({ employeeLookup, passwordAdmin }: Clients) =>
  endpoint<OperatorPrincipal>('none')({
    route: 'PUT /employees/:id/password',
    summary: 'Set a password',
    description: 'A pending invitation stays pending. All sessions of the employee end.',
    body: z.object({ password: boundedText(200) }),
    responses: { 204: null },
    errors: [404, 422],
    async handle({ params, body, context }) {
      const { employee } = await employeeLookup.getEmployee({ id: params.id }, { as: context });
      await passwordAdmin.setPassword(
        { employeeId: params.id, companyId: employee?.companyId ?? '', password: body.password },
        { as: context },
      );
      return empty(204);
    },
  });

const resetTwoFactor = ({ twoFactorAdmin }: Clients, evict: EvictCredential) =>
  endpoint<OperatorPrincipal>('none')({
    route: 'DELETE /employees/:id/two_factor',
    summary: 'Reset a second factor',
    description:
      'For a lost second factor: it is removed with its recovery codes, and all sessions of the employee end. Without a second factor nothing changes.',
    responses: { 204: null },
    errors: [404],
    async handle({ params, context }) {
      await twoFactorAdmin.resetTwoFactor({ employeeId: params.id }, { as: context });
      evict({ credentialId: '', employeeId: params.id });
      return empty(204);
    },
  });

const issuedClientSchema = clientSchema.extend({ device_grant: z.boolean() }).meta({ id: 'IssuedOAuthClient' });

const createOAuthClient = ({ oauthClientAdmin }: Clients) =>
  endpoint<OperatorPrincipal>('none')({
    route: 'POST /oauth_clients',
    summary: 'Issue an OAuth client',
    description:
      'A permanent client, whose redirect URIs may have custom schemes. With `device_grant` it may use the device authorization grant, and needs no redirect URI.',
    body: z.object({
      client_name: boundedText(128),
      redirect_uris: z.array(urlText).max(20).default([]),
      device_grant: z.boolean().default(false),
    }),
    responses: { 201: issuedClientSchema },
    errors: [422],
    async handle({ body, context }) {
      const { client } = await oauthClientAdmin.createOAuthClient(
        { clientName: body.client_name, redirectUris: body.redirect_uris, deviceGrant: body.device_grant },
        { as: context },
      );
      if (!client) throw new Error('identity returned no outcome');
      return json(201, { ...clientJson(client), device_grant: client.deviceGrant });
    },
  });
