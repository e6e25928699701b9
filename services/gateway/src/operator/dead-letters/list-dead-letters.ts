import { timestampDate } from '@bufbuild/protobuf/wkt';
import { json, endpoint } from '@parley/http';
import type { OperatorPrincipal } from '@parley/rpc';
import { z } from 'zod';
import type { Clients } from '../../peers/peers.ts';

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

export const listDeadLetters = ({ deadLetters }: Clients) =>
  endpoint<OperatorPrincipal>()({
    role: 'none',
    method: 'get',
    path: '/dead_letters',
    tag: 'Events',
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
            at: timestampDate(letter.at!).toISOString(),
          }));
        }),
      );
      return json(200, { dead_letters: lists.flat() });
    },
  });
