import { notFound, Refused, refusal } from '@parley/errors';
import type { Limit, RollingLimits } from '@parley/mongo';
import { isAllowedDestination } from '@parley/phone-numbers';
import { MessageBackfillService } from '@parley/proto/messaging_inbox/v1/backfill_pb';
import {
  MessageService,
  MessageTextService,
  type SendMessageRequest,
} from '@parley/proto/messaging_inbox/v1/messages_pb';
import { type EmployeePrincipal, employees, type Handler, type RpcServer, services } from '@parley/rpc';
import type { Company } from '../directory/directory-client.ts';
import type { SendingNumber } from '../numbers/numbers-client.ts';
import { isOptedOut, type OptOuts } from '../opt-outs/opt-out.ts';
import type { ServiceContext } from '../service-context.ts';
import type { AttemptOutcomes } from './attempt-outcomes.ts';
import { type CreateMessage, isRetryable, type Message, type OutboundMessage } from './message.ts';
import { messageFact } from './message-proto.ts';
import { type Messages, OLDEST_FIRST } from './message-store.ts';
import type { MessageViews } from './message-views.ts';
import { attemptOfRetryKey, keyConflict, newOutboundText, notRetryable, retryMessage } from './outbound-message.ts';
import {
  attemptRefusal,
  destinationNotAllowed,
  rateLimited,
  readClientKey,
  readContent,
  recipientOptedOut,
  replayProblem,
  sendingUnavailable,
  unsupportedFormat,
} from './send-request.ts';

interface MessageDeps extends Pick<ServiceContext, 'directory' | 'numbers' | 'encryptor' | 'clock' | 'tick'> {
  readonly messages: Messages;
  readonly views: MessageViews;
  readonly outcomes: AttemptOutcomes;
  readonly optOuts: OptOuts;
  readonly sendLimits: RollingLimits;
  readonly createMessage: CreateMessage;
}

/** Per business number, sends and retries of employees together, each key once; automation has as much again. */
const SENDS: Limit = { max: 30, windowMs: 60_000 };

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

/** A request with valid fields. */
interface CheckedRequest {
  readonly key: string;
  readonly to: string;
  readonly text: string;
  readonly employeeId: string;
}

const sendMessageRpc =
  (deps: MessageDeps): Handler<typeof MessageService.method.sendMessage, EmployeePrincipal> =>
  async (request, { principal: { companyId, employeeId }, signal }) => {
    const { messages, outcomes, views } = deps;
    const [company, number] = await Promise.all([
      deps.directory.requireTexting(companyId),
      deps.numbers.ofCompany(companyId, request.businessNumberId),
    ]);
    if (!number) throw new Refused(notFound);
    const checked = { ...check(request, company.country), employeeId };

    const known = await storeOrFind(deps, company, number, checked);
    const replayed = !('stored' in known);
    const message = 'stored' in known ? known.stored : known;
    if (replayed) refuseIf(replayProblem(message, messages.textOf(message), checked));
    const [settled] = await Promise.all([
      outcomes.wait(message, 0, signal, !replayed),
      'stored' in known ? known.shown : undefined,
    ]);
    const [attempt] = settled.attempts;
    if (!replayed && attempt) refuseIf(attemptRefusal(settled.id, attempt));
    // A text that was sent a moment ago is unseen; a repetition gets the current state.
    const names = 'stored' in known ? { names: known.names, seen: new Map<string, number>() } : {};
    const [view] = await views.show(companyId, [settled], company.messagingEnabled, { numbers: [number], ...names });
    return { message: view, replayed };
  };

function check(request: SendMessageRequest, country: string): Omit<CheckedRequest, 'employeeId'> {
  if (request.format !== 'sms') throw new Refused(unsupportedFormat);
  const key = readClientKey(request.idempotencyKey);
  if (!key.ok) throw new Refused(key.refusal);
  const content = readContent(request, country);
  if (!content.ok) throw new Refused(content.refusal);
  return { key: key.value, ...content.value };
}

interface StoredNow {
  readonly stored: OutboundMessage;
  readonly shown: Promise<void>;
  readonly names: ReadonlyMap<string, string>;
}

/** Stores the message, or finds the one with its key. Most keys are new, so a key is searched for only if its message cannot be stored. */
async function storeOrFind(
  deps: MessageDeps,
  company: Company,
  number: SendingNumber,
  request: CheckedRequest,
): Promise<StoredNow | OutboundMessage> {
  try {
    return await storeMessage(deps, company, number, request);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    const known = await deps.messages.byKey(number.companyId, number.id, request.key);
    if (!known) throw error;
    const first = known.attempts[known.keys.indexOf(request.key)];
    // Within the window a repetition and its first request count as one; a repetition of an older one is not counted.
    const isOlder = first && deps.clock.now().getTime() - first.createdAt.getTime() >= SENDS.windowMs;
    if (error.refusal === keyConflict && isOlder)
      await deps.sendLimits.withdraw({ taken: true, key: number.id, mark: request.key });
    return known;
  }
}

async function storeMessage(
  deps: MessageDeps,
  company: Company,
  number: SendingNumber,
  { key, to, text, employeeId }: CheckedRequest,
): Promise<StoredNow> {
  if (!number.canSend) throw new Refused(sendingUnavailable);
  if (!isAllowedDestination(to, company)) throw new Refused(destinationNotAllowed);
  const [names, hasOptedOut] = await Promise.all([
    deps.directory.employeeNames(number.companyId, [employeeId]),
    isOptedOut(deps.optOuts, number, to),
  ]);
  const name = names.get(employeeId);
  if (name === undefined) throw new Refused(refusal('forbidden', 'forbidden'));
  if (hasOptedOut) throw new Refused(recipientOptedOut);
  // The key makes it count once, also when the same request comes twice at once.
  if (!(await deps.sendLimits.take(number.id, SENDS, key)).taken) throw new Refused(rateLimited);
  const decision = newOutboundText(deps, number, {
    to,
    text,
    author: { type: 'employee', id: employeeId, name },
    key,
  });
  const { message: stored, shown } = await deps.createMessage(decision);
  return { stored, shown, names };
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
    if (!replayed && outcome) refuseIf(attemptRefusal(id, outcome));
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

function refuseIf(problem: ConstructorParameters<typeof Refused>[0] | undefined): void {
  if (problem) throw new Refused(problem);
}
