import type { Clock } from '@parley/clock';
import { decided } from '@parley/errors';
import { encodeMessage } from '@parley/events';
import { type Aggregates, openAggregates, type Relay } from '@parley/aggregates';
import type { Encryptor } from '@parley/secrets';
import type { Db } from 'mongodb';
import type { Comment, CommentEvent } from './comment.ts';

/** Newest first; the id orders comments of the same microsecond. As items of the inbox are listed. */
export const NEWEST_COMMENT_FIRST = { createdAt: -1, id: -1 } as const;

export interface Comments extends Aggregates<Comment, CommentEvent> {
  /** The comments of a thread, newest first, from the end of the previous page of its activity. */
  newest(
    companyId: string,
    phone: string,
    page: { readonly limit: number; readonly after: { readonly at: number; readonly id: string } | undefined },
  ): Promise<Comment[]>;
  /** The oldest of a company until a time, at most `limit`. How many were removed. */
  removeOldest(companyId: string, until: number, limit: number): Promise<number>;
  /** Those of a thread that is removed. */
  removeAll(companyId: string, phone: string): Promise<void>;
  encrypt(id: string, text: string): string;
  textOf(comment: Pick<Comment, 'id' | 'encryptedText'>): string;
}

export const commentContext = (commentId: string) => `comment/${commentId}/text`;

export async function openComments(options: {
  db: Db;
  relay: Relay;
  clock: Clock;
  encryptor: Encryptor;
}): Promise<Comments> {
  const { encryptor, ...storage } = options;
  const comments = await openAggregates<Comment, CommentEvent>({
    ...storage,
    collection: 'comments',
    indexes: [
      { name: 'thread', key: { companyId: 1, phone: 1, createdAt: -1, _id: -1 } },
      { name: 'company_oldest', key: { companyId: 1, createdAt: 1 } },
    ],
    encode: ({ type, comment: { id, companyId, phone, author, mentions, createdAt } }) =>
      encodeMessage(type, {
        comment: {
          id,
          companyId,
          phoneNumber: phone,
          author,
          mentions: [...mentions],
          createdAtMicros: BigInt(createdAt),
        },
      }),
  });
  return {
    ...comments,
    encrypt: (id, text) => encryptor.encrypt(text, commentContext(id)),
    textOf: ({ id, encryptedText }) => encryptor.decrypt(encryptedText, commentContext(id)),
    async removeOldest(companyId, until, limit) {
      const own = comments.of(companyId);
      const found = await own.findFields(['id'], { createdAt: { $lte: until } }, { createdAt: 1 }, limit);
      for (const { id } of found) await own.changeIfExists(id, () => decided(null));
      return found.length;
    },
    async removeAll(companyId, phone) {
      const own = comments.of(companyId);
      for await (const { id } of own.find({ phone }, NEWEST_COMMENT_FIRST))
        await own.changeIfExists(id, () => decided(null));
    },
    newest: (companyId, phone, { limit, after }) =>
      Array.fromAsync(
        comments.of(companyId).find(
          {
            phone,
            ...(after && {
              createdAt: { $lte: after.at },
              $or: [{ createdAt: { $lt: after.at } }, { id: { $lt: after.id } }],
            }),
          },
          NEWEST_COMMENT_FIRST,
          limit,
        ),
      ),
  };
}
