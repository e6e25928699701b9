import { timestampDate } from '@bufbuild/protobuf/wkt';
import { endpoint, json } from '@parley/http';
import type { EmployeePrincipal } from '@parley/rpc';
import { z } from 'zod';
import type { Clients } from '../../peers/peers.ts';

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

export const createSoftphoneSession = ({ softphoneSessions }: Clients) =>
  endpoint<EmployeePrincipal>()({
    method: 'post',
    path: '/softphone_sessions',
    tag: 'Softphone',
    summary: 'Create a softphone session',
    description:
      'A credential with which one softphone of the employee registers, for at most an hour. Create another before it expires.',
    responses: { 201: softphoneSessionSchema },
    async handle({ context }) {
      const session = await softphoneSessions.createSoftphoneSession({}, { as: context });
      return json(201, {
        id: session.id,
        sip_uri: session.sipUri,
        username: session.username,
        password: session.password,
        websocket_url: session.websocketUrl,
        ice_servers: session.iceServers.map(({ urls, username, credential }) => ({ urls, username, credential })),
        expires_at: timestampDate(session.expiresAt!).toISOString(),
      });
    },
  });
