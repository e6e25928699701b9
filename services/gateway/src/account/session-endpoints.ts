import { empty, type Endpoint, endpoint, json } from '@parley/http';
import { isoTime } from '@parley/public-json';
import { z } from 'zod';
import { browserName } from '../pages/browser-name.ts';
import type { Clients } from '../peers/peers.ts';
import type { SignedInVisitor } from './signed-in-visitor.ts';

const sessionSchema = z
  .object({
    id: z.string(),
    browser: z.string(),
    address: z.string(),
    signed_in_at: z.string().nullable(),
    is_current: z.boolean(),
  })
  .meta({ id: 'BrowserSession' });

export const sessionEndpoints = ({ sessions }: Clients): Endpoint<SignedInVisitor>[] => [
  endpoint<SignedInVisitor>('none')({
    route: 'GET /sessions',
    summary: 'List one’s own sessions',
    operationId: 'listOwnSessions',
    responses: { 200: z.array(sessionSchema) },
    async handle({ context: { employee } }) {
      const { sessions: own } = await sessions.listOwnSessions({}, { as: employee });
      return json(
        200,
        own.map(({ id, userAgent, address, signedInAt, current }) => ({
          id,
          browser: browserName(userAgent),
          address,
          signed_in_at: isoTime(signedInAt),
          is_current: current,
        })),
      );
    },
  }),
  endpoint<SignedInVisitor>('none')({
    route: 'DELETE /sessions/:id',
    summary: 'Revoke a session',
    responses: { 204: null },
    errors: [404],
    async handle({ params: { id }, context: { employee } }) {
      await sessions.revokeOwnSession({ id }, { as: employee });
      return empty(204);
    },
  }),
];
