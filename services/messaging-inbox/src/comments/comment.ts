import { type Decision, decided, invalid, refused } from '@parley/errors';
import type { InboxItem } from '../projection/inbox-item.ts';
import type { MentionedEmployee } from './mentions.ts';

/** An employee's comment on a thread, for the team only. */
export interface Comment {
  readonly id: string;
  readonly companyId: string;
  /** The external number of the thread. */
  readonly phone: string;
  /** `name` as it was when the comment was written. */
  readonly author: MentionedEmployee;
  readonly mentions: readonly MentionedEmployee[];
  /** Encrypted for the context of `commentContext(id)`. */
  readonly encryptedText: string;
  /** Microseconds since 1970. */
  readonly createdAt: number;
}

export interface CommentEvent {
  readonly type: 'messaging-inbox.comment.created';
  readonly comment: Comment;
}

const TEXT_LENGTH_MAX = 5000;

export function createComment(
  comment: Omit<Comment, 'encryptedText'>,
  text: string,
  encrypt: (text: string) => string,
): Decision<Comment, CommentEvent> {
  const problem =
    text.trim() === ''
      ? 'must not be blank'
      : [...text].length > TEXT_LENGTH_MAX && `is too long (maximum is ${TEXT_LENGTH_MAX} characters)`;
  if (problem) return refused(invalid({ text: [problem] }));
  const created = { ...comment, encryptedText: encrypt(text) };
  return decided<Comment, CommentEvent>(created, [{ type: 'messaging-inbox.comment.created', comment: created }]);
}

/** Items and comments of a thread as its activity lists them. Both are sorted in the same way. */
export function newestFirst(
  items: readonly InboxItem[],
  comments: readonly Comment[],
): readonly (InboxItem | Comment)[] {
  if (comments.length === 0) return items;
  return [...items, ...comments].sort(
    (one, other) => other.createdAt - one.createdAt || (other.id > one.id ? 1 : other.id < one.id ? -1 : 0),
  );
}

export function isComment(one: InboxItem | Comment): one is Comment {
  return 'encryptedText' in one;
}
