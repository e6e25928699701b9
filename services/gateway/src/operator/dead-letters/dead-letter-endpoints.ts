import { notFound, Refused } from '@parley/errors';
import { empty, endpoint, json } from '@parley/http';
import type { OperatorPrincipal } from '@parley/rpc';
import { z } from 'zod';
import type { Clients } from '../../peers/peers.ts';
import { isoTimeOf } from '@parley/public-json';

export const deadLetterEndpoints = (clients: Clients) => [listDeadLetters(clients), replayDeadLetter(clients)];

const deadLetterSchema = z
  .object({
    service: z.string(),
    follower: z.string(),
    event_id: z.string(),
    type: z.string(),
    reason: z.string(),
    at: z.string(),
  })
  .meta({ id: 'DeadLetter' });

const LIMIT_PER_SERVICE = 100;

const listDeadLetters = ({ deadLetters }: Clients) =>
  endpoint<OperatorPrincipal>('none')({
    route: 'GET /dead_letters',
    summary: 'List dead letters',
    description: 'Events that a service could not apply, oldest first within each service.',
    responses: { 200: z.object({ dead_letters: z.array(deadLetterSchema) }) },
    async handle({ context }) {
      const lists = await Promise.all(
        Object.entries(deadLetters).map(async ([service, client]) => {
          const { deadLetters: letters } = await client.listDeadLetters({ limit: LIMIT_PER_SERVICE }, { as: context });
          return letters.map((letter) => ({
            service,
            follower: letter.follower,
            event_id: letter.eventId,
            type: letter.type,
            reason: letter.reason,
            at: isoTimeOf(letter.at),
          }));
        }),
      );
      return json(200, { dead_letters: lists.flat() });
    },
  });

const replayDeadLetter = ({ deadLetters }: Clients) =>
  endpoint<OperatorPrincipal>('none')({
    route: 'POST /dead_letters/:service/:event_id/replay',
    summary: 'Replay a dead letter',
    description: 'Applies the event again and deletes the dead letter if that succeeds.',
    responses: { 204: null },
    errors: [404],
    async handle({ params, context }) {
      const client = Object.entries(deadLetters).find(([service]) => service === params.service)?.[1];
      if (!client) throw new Refused(notFound);
      await client.replayDeadLetter({ eventId: params.event_id }, { as: context });
      return empty(204);
    },
  });
