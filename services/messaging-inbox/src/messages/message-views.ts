import type { MessageInitShape } from '@bufbuild/protobuf';
import type { MessageSchema } from '@parley/proto/messaging_inbox/v1/messages_pb';
import type { Directory } from '../directory/directory-client.ts';
import type { ListedNumber, Numbers } from '../numbers/numbers-client.ts';
import { authorOf, isRetryable, type Message } from './message.ts';
import { messageToProto } from './message-proto.ts';
import type { Messages } from './message-store.ts';

export type MessageView = MessageInitShape<typeof MessageSchema>;

export type MessageViews = ReturnType<typeof messageViews>;

/** Data that the request has read already, so that it is not read again. */
export interface KnownParts {
  readonly numbers?: readonly ListedNumber[];
  /** Names of employees by their ids. */
  readonly names?: ReadonlyMap<string, string>;
  /** When each was seen. */
  readonly seen?: ReadonlyMap<string, number>;
}

/** When the team saw each of the messages, in microseconds; those it has not seen are left out. */
export type SeenTimes = (companyId: string, messages: readonly Message[]) => Promise<ReadonlyMap<string, number>>;

/** Messages as they are shown: with what the business number and the author are called now, and what can be done now. */
export function messageViews(deps: {
  messages: Pick<Messages, 'textOf'>;
  numbers: Numbers;
  directory: Directory;
  seenTimes: SeenTimes;
}) {
  const { messages, numbers, directory, seenTimes } = deps;

  /** Also the ones that the company had: what was sent keeps the name. */
  function numbersOf(companyId: string, shown: readonly Message[]): Promise<readonly ListedNumber[]> {
    const ids = [...new Set(shown.map(({ businessNumberId }) => businessNumberId))];
    return numbers.listOf(companyId, ids);
  }

  return {
    /** `companyMessagingEnabled`: without it nothing can be sent, so nothing can be retried. */
    async show(
      companyId: string,
      shown: readonly Message[],
      companyMessagingEnabled: boolean,
      known: KnownParts = {},
    ): Promise<MessageView[]> {
      const authors = shown.map(authorOf).flatMap((author) => (author.type === 'employee' ? [author.id] : []));
      const [listed, names, seen] = await Promise.all([
        known.numbers ?? numbersOf(companyId, shown),
        known.names ?? directory.employeeNames(companyId, authors),
        known.seen ?? seenTimes(companyId, shown),
      ]);
      const numberById = new Map(listed.map((number) => [number.id, number]));
      return shown.map((message) => {
        const number = numberById.get(message.businessNumberId);
        const author = authorOf(message);
        return messageToProto(message, {
          text: messages.textOf(message),
          businessNumberName: number?.name ?? null,
          authorName: author.type === 'employee' ? (names.get(author.id) ?? null) : null,
          canRetry: isRetryable(message) && companyMessagingEnabled && (number?.canSend ?? false),
          seenAtMicros: seen.get(message.id) ?? null,
        });
      });
    },
  };
}
