import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { notFound, Refused } from '@parley/errors';
import type { Follower } from '@parley/events';
import { DeadLetterService } from '@parley/proto/operations/v1/dead_letters_pb';
import { operators, type RpcServer } from '@parley/rpc';

const LIMIT_MAX = 1000;

/** Lists the dead letters of a service's followers for the operator, and replays them. */
export function addDeadLetterService(server: RpcServer, followers: readonly Follower[]): void {
  server.add(DeadLetterService, operators, {
    async listDeadLetters({ limit }) {
      const most = Math.min(Math.max(limit, 1), LIMIT_MAX);
      const lists = await Promise.all(
        followers.map(async ({ name, deadLetters }) =>
          (await deadLetters.list(most)).map((letter) => ({ ...letter, follower: name })),
        ),
      );
      const oldest = lists.flat().sort((a, b) => a.at.getTime() - b.at.getTime());
      return { deadLetters: oldest.slice(0, most).map((letter) => ({ ...letter, at: timestampFromDate(letter.at) })) };
    },
    async replayDeadLetter({ eventId }) {
      const replayed = await Promise.all(followers.map(({ deadLetters }) => deadLetters.replay(eventId)));
      if (!replayed.includes(true)) throw new Refused(notFound);
      return {};
    },
  });
}
