import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { encodeMessage, type EncodedMessage } from '@parley/events';
import {
  MessageAuthorType,
  MessageDirection,
  type MessageSchema,
  MessageStatus as MessageStatusProto,
} from '@parley/proto/messaging_inbox/v1/messages_pb';
import {
  authorOf,
  isRetryable,
  type Message,
  type MessageAuthor,
  type MessageEvent,
  type MessageStatus,
} from './message.ts';

const directions = { inbound: MessageDirection.INBOUND, outbound: MessageDirection.OUTBOUND };

const statuses: Record<MessageStatus, MessageStatusProto> = {
  queued: MessageStatusProto.QUEUED,
  accepted: MessageStatusProto.ACCEPTED,
  delivered: MessageStatusProto.DELIVERED,
  failed: MessageStatusProto.FAILED,
  unknown: MessageStatusProto.UNKNOWN,
  received: MessageStatusProto.RECEIVED,
};

export function statusToProto(status: MessageStatus): MessageStatusProto {
  return statuses[status];
}

const authorTypes = {
  customer: MessageAuthorType.CUSTOMER,
  employee: MessageAuthorType.EMPLOYEE,
  automation: MessageAuthorType.AUTOMATION,
};

const AUTOMATION_NAME = 'Auto-reply';

/** The fields of a message's representation that are stored elsewhere. */
export interface MessageRelations {
  readonly text: string;
  readonly businessNumberName: string | null;
  /** Null when the author is no employee, or no longer one. */
  readonly authorName: string | null;
  readonly canRetry: boolean;
  readonly seenAtMicros: number | null;
}

export function messageToProto(message: Message, related: MessageRelations): MessageInitShape<typeof MessageSchema> {
  const { smsCount, encoding } = message;
  const outbound = message.direction === 'outbound' ? message : undefined;
  const receivedAt = message.direction === 'inbound' ? message.receivedAt : null;
  return {
    id: message.id,
    companyId: message.companyId,
    createdAtMicros: BigInt(message.createdAtMicros),
    businessNumberId: message.businessNumberId,
    ...(related.businessNumberName !== null && { businessNumberName: related.businessNumberName }),
    ...(related.seenAtMicros !== null && { seenAtMicros: BigInt(related.seenAtMicros) }),
    direction: directions[message.direction],
    from: message.from,
    to: message.to,
    text: related.text,
    author: authorToProto(authorOf(message), related.authorName),
    status: statusToProto(message.status),
    ...(smsCount !== null && { smsCount }),
    ...(encoding !== null && { encoding }),
    ...(receivedAt && { receivedAt: timestampFromDate(receivedAt) }),
    ...(outbound?.deliveredAt && { deliveredAt: timestampFromDate(outbound.deliveredAt) }),
    ...(outbound && outbound.failureCode !== null && { failureCode: outbound.failureCode }),
    canRetry: related.canRetry,
  };
}

function authorToProto(author: MessageAuthor, name: string | null) {
  const type = authorTypes[author.type];
  if (author.type === 'automation') return { type, name: author.name ?? AUTOMATION_NAME };
  return author.type === 'employee' && name !== null ? { type, id: author.id, name } : { type };
}

/** The facts at the time it was stored: the sender could send, and the author was an employee. The body is not copied. */
export function messageFact(message: Message): MessageInitShape<typeof MessageSchema> {
  const author = authorOf(message);
  return messageToProto(message, {
    text: '',
    businessNumberName: message.businessNumberName,
    authorName: author.type === 'employee' ? author.name : null,
    canRetry: isRetryable(message),
    seenAtMicros: null,
  });
}

export function encodeMessageEvent({ type, message }: MessageEvent): EncodedMessage {
  return encodeMessage(type, { message: messageFact(message) });
}
