import type { MessageInitShape } from '@bufbuild/protobuf';
import { invalid, notFound, Refused } from '@parley/errors';
import { readPhoneNumber } from '@parley/phone-numbers';
import { employees, type RpcServer } from '@parley/rpc';
import type { SignedTokens } from '@parley/secrets';
import { type FoundMessageSchema, MessageSearchService } from '@parley/proto/messaging_inbox/v1/message_search_pb';
import type { Message } from '../messages/message.ts';
import type { Messages } from '../messages/message-store.ts';
import type { MessageViews } from '../messages/message-views.ts';
import type { ServiceContext } from '../service-context.ts';
import type { FoundTexts, MessageSearch, SearchPosition } from './message-search-store.ts';
import { highlightsOf, wordsOfQuery } from './text-words.ts';

interface MessageSearchDeps extends Pick<ServiceContext, 'numbers' | 'directory'> {
  readonly search: MessageSearch;
  readonly messages: Messages;
  readonly views: MessageViews;
  readonly cursors: SignedTokens;
}

const LIMIT_MAX = 100;
/** Of the encrypted texts of a page, because each is divided into its words; a page with long texts is shorter. */
const CHARACTERS_MAX = 200_000;
const READ_AT_ONCE = 10;

/** Every RPC of the contract. */
export function addMessageSearchService(server: RpcServer, deps: MessageSearchDeps): void {
  const { search, messages, views, numbers, directory, cursors } = deps;
  server.add(MessageSearchService, employees.withRole('member'), {
    async searchMessages(request, { principal: { companyId } }) {
      const { businessNumberId } = request;
      const company = await directory.requireTexting(companyId);
      const words = await wordsOfQuery(request.query);
      if (words.length === 0) throw new Refused(invalid({ query: ['must contain a word'] }));
      if (businessNumberId !== undefined && (await numbers.listOf(companyId, [businessNumberId])).length === 0)
        throw new Refused(notFound);
      // Texts also come from short codes and named senders, which are no numbers.
      const phone =
        request.phoneNumber && (readPhoneNumber(request.phoneNumber, company.country)?.number ?? request.phoneNumber);
      const binding = [companyId, 'messages', words, businessNumberId ?? null, phone ?? null];
      const after = request.cursor === undefined ? undefined : cursors.open(request.cursor, binding);
      if (request.cursor !== undefined && after === undefined) throw new Refused(invalid({ cursor: ['is invalid'] }));
      const found = await search.find(
        companyId,
        { words, businessNumberId, phone },
        { limit: Math.min(Math.max(request.limit, 1), LIMIT_MAX), after: after as SearchPosition | undefined },
      );
      const { stored, next } = await readPage(messages, companyId, found);
      const shown = await views.show(companyId, stored, company.messagingEnabled);
      const listed: MessageInitShape<typeof FoundMessageSchema>[] = [];
      for (const message of shown) listed.push({ message, highlights: await highlightsOf(message.text ?? '', words) });
      return { messages: listed, ...(next && { nextCursor: cursors.seal(next, binding) }) };
    },
  });
}

/** The texts that were found, in their order, as many as a page may have. */
async function readPage(
  messages: Pick<Messages, 'byIds'>,
  companyId: string,
  { texts, next }: FoundTexts,
): Promise<{ stored: Message[]; next: SearchPosition | undefined }> {
  const stored: Message[] = [];
  let characters = 0;
  for (let start = 0; start < texts.length; start += READ_AT_ONCE) {
    const some = texts.slice(start, start + READ_AT_ONCE);
    const read = await messages.byIds(
      companyId,
      some.map(({ id }) => id),
    );
    for (const [index, { id }] of some.entries()) {
      const message = read.find((one) => one.id === id);
      if (!message) continue;
      characters += message.encryptedText.length;
      if (stored.length > 0 && characters > CHARACTERS_MAX) return { stored, next: texts[start + index - 1] };
      stored.push(message);
    }
  }
  return { stored, next };
}
