import type { MessageInitShape } from '@bufbuild/protobuf';
import type { CommentSchema } from '@parley/proto/messaging_inbox/v1/comments_pb';
import type { Comment } from './comment.ts';

/** `names`: present names of employees by their ids; whoever has left keeps the name of the time of writing. */
export function commentToProto(
  { id, companyId, phone, author, mentions, createdAt }: Comment,
  text: string,
  names: ReadonlyMap<string, string>,
): MessageInitShape<typeof CommentSchema> {
  const named = (employee: Comment['author']) => ({ ...employee, name: names.get(employee.id) ?? employee.name });
  return {
    id,
    companyId,
    phoneNumber: phone,
    author: named(author),
    text,
    mentions: mentions.map(named),
    createdAtMicros: BigInt(createdAt),
  };
}

/** Those who are named in comments. */
export const employeesIn = (comments: readonly Comment[]): string[] =>
  comments.flatMap(({ author, mentions }) => [author.id, ...mentions.map(({ id }) => id)]);
