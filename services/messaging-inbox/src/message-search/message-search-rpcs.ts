import type { MessageInitShape } from '@bufbuild/protobuf';
import { invalid, notFound, Refused } from '@parley/errors';
import { readPhoneNumber } from '@parley/phone-numbers';
import { type FoundMessageSchema, MessageSearchService } from '@parley/proto/messaging_inbox/v1/message_search_pb';
import { employees, type RpcServer } from '@parley/rpc';
import type { Cursors } from '@parley/aggregates';
import type { Directory } from '../directory/directory-client.ts';
import type { Messages } from '../messages/message-store.ts';
import type { MessageViews } from '../messages/message-views.ts';
import type { Numbers } from '../numbers/numbers-client.ts';
import { requireTexting } from '../texting/texting-access.ts';
import type { MessageSearch, SearchPosition } from './message-search-store.ts';
import { highlightsOf, wordsOfQuery } from './text-words.ts';

export interface MessageSearchDeps {
  readonly search: MessageSearch;
  readonly messages: Messages;
  readonly views: MessageViews;
  readonly numbers: Numbers;
  readonly directory: Directory;
  readonly cursors: Cursors;
}

const LIMIT_MAX = 100;
/** In the texts of a page, because each is divided into its words; a page with long texts is shorter. */
const CHARACTERS_MAX = 50_000;

/** Every RPC of the contract. */
export function addMessageSearchService(server: RpcServer, deps: MessageSearchDeps): void {
  const { search, messages, views, numbers, directory, cursors } = deps;
  server.add(MessageSearchService, employees.withRole('member'), {
    async searchMessages(request, { principal: { companyId } }) {
      const { businessNumberId } = request;
      const company = await requireTexting(directory, companyId);
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
      const stored = await messages.byIds(
        companyId,
        found.texts.map(({ id }) => id),
      );
      const shown = await views.show(companyId, stored, company.messagingEnabled);
      const byId = new Map(shown.map((message) => [message.id, message]));
      const listed: MessageInitShape<typeof FoundMessageSchema>[] = [];
      let [next, characters] = [found.next, 0];
      for (const [index, { id }] of found.texts.entries()) {
        const message = byId.get(id);
        if (!message) continue;
        const { text = '' } = message;
        characters += text.length;
        if (listed.length > 0 && characters > CHARACTERS_MAX) {
          next = found.texts[index - 1];
          break;
        }
        listed.push({ message, highlights: await highlightsOf(text, words) });
      }
      return { messages: listed, ...(next && { nextCursor: cursors.seal(next, binding) }) };
    },
  });
}
