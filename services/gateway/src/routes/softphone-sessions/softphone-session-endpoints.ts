import { empty, endpoint, json } from '@parley/http';
import type { EmployeePrincipal } from '@parley/rpc';
import { z } from 'zod';
import { undoIfEnded } from '../../credentials/verify-with-identity.ts';
import type { Clients } from '../../peers/peers.ts';
import { isoTimeOf } from '@parley/public-json';

export const softphoneSessionEndpoints = (clients: Clients) => [
  createSoftphoneSession(clients),
  deleteSoftphoneSession(clients),
];

const softphoneSessionSchema = z
  .object({
    id: z.string(),
    sip_uri: z.string().describe('Address of record'),
    username: z.string(),
    password: z.string().describe('Shown once'),
    websocket_url: z.string().describe('Where the softphone connects with SIP over WebSocket'),
    ice_servers: z.array(
      z.object({ urls: z.array(z.string()), username: z.string().optional(), credential: z.string().optional() }),
    ),
    expires_at: z.string(),
  })
  .meta({ id: 'SoftphoneSession' });

const createSoftphoneSession = ({ credentials, softphoneSessions }: Clients) =>
  endpoint<EmployeePrincipal>()({
    role: 'member',
    route: 'POST /softphone_sessions',
    sdkMethod: 'softphoneSessions.create',
    summary: 'Create a softphone session',
    description:
      'A credential with which one softphone of the employee registers, for at most an hour, and no longer than the credential it was made with. Create another before it expires.',
    responses: { 201: softphoneSessionSchema },
    async handle({ context }) {
      const session = await softphoneSessions.createSoftphoneSession({}, { as: context });
      await undoIfEnded({ credentials }, context, () =>
        softphoneSessions.deleteSoftphoneSession({ id: session.id }, { as: context }),
      );
      return json(201, {
        id: session.id,
        sip_uri: session.sipUri,
        username: session.username,
        password: session.password,
        websocket_url: session.websocketUrl,
        ice_servers: session.iceServers.map(({ urls, username, credential }) => ({ urls, username, credential })),
        expires_at: isoTimeOf(session.expiresAt),
      });
    },
  });

const deleteSoftphoneSession = ({ softphoneSessions }: Clients) =>
  endpoint<EmployeePrincipal>()({
    role: 'member',
    route: 'DELETE /softphone_sessions/:id',
    sdkMethod: 'softphoneSessions.delete',
    summary: 'Revoke a softphone session',
    description: 'Registrations made with it end. Other sessions of the employee are not affected.',
    responses: { 204: null },
    errors: [404],
    async handle({ params, context }) {
      await softphoneSessions.deleteSoftphoneSession({ id: params.id }, { as: context });
      return empty(204);
    },
  });
