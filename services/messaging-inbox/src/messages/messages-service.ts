import { notFound, Refused } from '@parley/errors';
import { MessageService, MessageTextService } from '@parley/proto/messaging_inbox/v1/messages_pb';
import { employees, type RpcServer, services } from '@parley/rpc';
import { requireTexting } from '../texting/texting-access.ts';
import type { MessageDeps } from './message-deps.ts';
import { retryMessageRpc } from './rpc-retry-message.ts';
import { sendMessageRpc } from './rpc-send-message.ts';

/** Every RPC of the contract. */
export function addMessageServices(server: RpcServer, deps: MessageDeps): void {
  const { messages, views, numbers, directory, clock } = deps;
  server.add(MessageService, employees.withRole('member'), {
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
  server.add(MessageTextService, services('webhooks'), {
    async getMessageText({ companyId, id }) {
      const [message] = await Promise.all([messages.of(companyId).get(id), requireTexting(directory, companyId)]);
      if (!message) throw new Refused(notFound);
      return { text: messages.textOf(message) };
    },
  });
}
