import { notFound, Refused } from '@parley/errors';
import { isAllowedDestination } from '@parley/phone-numbers';
import { MessageBackfillService } from '@parley/proto/messaging_inbox/v1/backfill_pb';
import { MessageService, MessageTextService } from '@parley/proto/messaging_inbox/v1/messages_pb';
import { type EmployeePrincipal, employees, type Handler, type RpcServer, services } from '@parley/rpc';
import type { Company } from '../directory/directory-client.ts';
import { isRetryable, type Message } from './message.ts';
import { messageFact } from './message-proto.ts';
import { isOptedOut } from '../opt-outs/opt-out.ts';
import { OLDEST_FIRST } from './message-store.ts';
import { attemptOfRetryKey, notRetryable, retryMessage } from './outbound-message.ts';
import { type MessageDeps, sendMessageRpc, SENDS } from './send-message.ts';
import {
  attemptRefusal,
  destinationNotAllowed,
  rateLimited,
  readClientKey,
  recipientOptedOut,
  sendingUnavailable,
} from './send-request.ts';

/** Every RPC of the contract. */
export function addMessageServices(server: RpcServer, deps: MessageDeps): void {
  const { messages, views, numbers, directory } = deps;
  server.add(MessageService, employees.withRole('member'), {
    async checkTexting({ businessNumberId }, { principal: { companyId } }) {
      await directory.requireTexting(companyId);
      if (businessNumberId === undefined) return {};
      if (!(await numbers.ofCompany(companyId, businessNumberId))) throw new Refused(notFound);
      return {};
    },
    sendMessage: sendMessageRpc(deps),
    retryMessage: retryMessageRpc(deps),
    async getMessage({ id }, { principal: { companyId } }) {
      const [company, message] = await Promise.all([
        directory.requireTexting(companyId),
        messages.of(companyId).get(id),
      ]);
      if (!message) throw new Refused(notFound);
      const [view] = await views.show(companyId, [message], company.messagingEnabled);
      return { message: view };
    },
  });
  server.add(MessageTextService, services('webhooks'), {
    async getMessageText({ companyId, id }) {
      // A text does not change, and webhooks itself knows whose texts were erased.
      const [message] = await Promise.all([messages.of(companyId).getRecent(id), directory.requireTexting(companyId)]);
      if (!message) throw new Refused(notFound);
      return { text: messages.textOf(message) };
    },
  });
  server.add(MessageBackfillService, services('reports'), {
    async *listMessagesForBackfill({ companyId }) {
      for await (const chunk of messages.of(companyId).findInChunks({}, OLDEST_FIRST))
        yield { messages: chunk.map(messageFact) };
    },
  });
}

const retryMessageRpc =
  (deps: MessageDeps): Handler<typeof MessageService.method.retryMessage, EmployeePrincipal> =>
  async ({ id, idempotencyKey }, { principal: { companyId, employeeId }, signal }) => {
    const { messages, outcomes, views, clock } = deps;
    const company = await deps.directory.requireTexting(companyId);
    const message = await messages.of(companyId).get(id);
    if (!message) throw new Refused(notFound);
    const key = readClientKey(idempotencyKey);
    if (!key.ok) throw new Refused(key.refusal);
    const retry = { key: key.value, employeeId };

    const known = attemptOfRetryKey(message, retry.key, employeeId);
    if (!known) await checkRetry(deps, company, message, retry.key);
    // One of several simultaneous requests with the same key adds the attempt; the others are its repetitions.
    const { state: changed, outcome: replayed } = await messages.of(companyId).changeWithOutcome(id, (current) => ({
      ...retryMessage(current, retry, clock.now()),
      outcome: attemptOfRetryKey(current, retry.key, employeeId) !== undefined,
    }));
    const attempt = changed.direction === 'outbound' ? changed.keys.indexOf(retry.key) : -1;
    if (changed.direction !== 'outbound') throw new Refused(notFound);
    const settled = await outcomes.wait(changed, attempt, signal, !replayed);
    const outcome = settled.attempts[attempt];
    const problem = replayed || !outcome ? undefined : attemptRefusal(id, outcome);
    if (problem) throw new Refused(problem);
    const [view] = await views.show(companyId, [settled], company.messagingEnabled);
    return { message: view, replayed };
  };

/** Checks whether the message may be submitted again now, and counts it if so. */
async function checkRetry(
  { numbers, optOuts, sendLimits }: MessageDeps,
  company: Company,
  message: Message,
  key: string,
): Promise<void> {
  if (!isRetryable(message)) throw new Refused(notRetryable);
  const { companyId, businessNumberId, to } = message;
  const number = await numbers.ofCompany(companyId, businessNumberId);
  if (!number?.canSend) throw new Refused(sendingUnavailable);
  if (!isAllowedDestination(to, company)) throw new Refused(destinationNotAllowed);
  if (await isOptedOut(optOuts, number, to)) throw new Refused(recipientOptedOut);
  if (!(await sendLimits.take(businessNumberId, SENDS, key)).taken) throw new Refused(rateLimited);
}
