import { empty, type Endpoint, endpoint, json } from '@parley/http';
import { isoTime } from '@parley/public-json';
import { z } from 'zod';
import type { EvictCredential } from '../credentials/verified-credentials.ts';
import type { Clients } from '../peers/peers.ts';
import type { SignedInVisitor } from './signed-in-visitor.ts';

const connectedAppSchema = z
  .object({
    client_id: z.string(),
    name: z.string(),
    scope: z.string(),
    allowed_at: z.string().nullable(),
    last_refreshed_at: z.string().nullable(),
    last_used_at: z.string().nullable(),
  })
  .meta({ id: 'ConnectedApp' });

export const connectedAppEndpoints = (
  { connectedApps }: Clients,
  evict: EvictCredential,
): Endpoint<SignedInVisitor>[] => [
  endpoint<SignedInVisitor>('none')({
    route: 'GET /connected_apps',
    summary: 'List the connected apps',
    responses: { 200: z.array(connectedAppSchema) },
    async handle({ context: { employee } }) {
      const { apps } = await connectedApps.listConnectedApps({}, { as: employee });
      return json(
        200,
        apps.map((app) => ({
          client_id: app.clientId,
          name: app.clientName,
          scope: app.scope,
          allowed_at: isoTime(app.allowedAt),
          last_refreshed_at: isoTime(app.lastRefreshedAt),
          last_used_at: isoTime(app.lastUsedAt),
        })),
      );
    },
  }),
  endpoint<SignedInVisitor>('none')({
    route: 'DELETE /connected_apps/:client_id',
    summary: 'Revoke a connected app',
    responses: { 204: null },
    errors: [404],
    async handle({ params, context: { employee } }) {
      await connectedApps.revokeConnectedApp({ clientId: params.client_id }, { as: employee });
      evict({ credentialId: '', employeeId: employee.employeeId });
      return empty(204);
    },
  }),
];
