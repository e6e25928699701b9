import { notFound, Refused } from '@parley/errors';
import { empty, endpoint } from '@parley/http';
import type { OperatorPrincipal } from '@parley/rpc';
import type { Clients } from '../../peers/peers.ts';

export const replayDeadLetter = ({ deadLetters }: Clients) =>
  endpoint<OperatorPrincipal>()({
    role: 'none',
    method: 'post',
    path: '/dead_letters/:service/:event_id/replay',
    tag: 'Events',
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
