import { notFound, Refused } from '@parley/errors';
import { MessageBackfillService, MessageService } from '@parley/proto/messaging_inbox/v1/messages_pb';
import { employees, type RpcServer, services } from '@parley/rpc';
import { requireTexting } from '../texting/texting-access.ts';
import type { MessageDeps } from './message-deps.ts';
import { messageFact } from './message-proto.ts';
import { OLDEST_FIRST } from './message-store.ts';
import { retryMessageRpc } from './rpc-retry-message.ts';
import { sendMessageRpc } from './rpc-send-message.ts';

/** Every RPC of the contract. */
export function addMessageServices(server: RpcServer, deps: MessageDeps): void {
  const { messages, views, numbers, directory, clock } = deps;
  server.add(MessageService, employees, {
    async checkTexting({ businessNumberId }, { principal: { companyId } }) {
      await requireTexting(directory, companyId);
      if (businessNumberId === undefined) return {};
      if (!(await numbers.ofCompany(companyId, businessNumberId, clock.now()))) throw new Refused(notFound);
      return {};
    },
    sendMessage: sendMessageRpc(deps),
    retryMessage: retryMessageRpc(deps),
    async getMessage({ id }, { principal: { companyId } }) {
      const [company, message] = await Promise.all([
        requireTexting(directory, companyId),
        messages.of(companyId).get(id),
      ]);
      if (!message) throw new Refused(notFound);
      const [view] = await views.show(companyId, [message], company.messagingEnabled);
      return { message: view };
    },
  });
  server.add(MessageBackfillService, services('messaging-inbox'), {
    async *listMessages({ companyId, fromMicros }) {
      const stored = messages
        .of(companyId)
        .findInChunks({ createdAtMicros: { $gte: Number(fromMicros) } }, OLDEST_FIRST);
      for await (const chunk of stored)
        yield { messages: chunk.map((message) => messageFact(message, messages.textOf(message))) };
    },
  });
}
