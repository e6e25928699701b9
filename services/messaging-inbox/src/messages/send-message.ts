import type { Clock } from '@parley/clock';
import { type Encryptor, newId } from '@parley/secrets';
import type { Company, Directory } from '../directory/directory-client.ts';
import type { OptOuts } from '../opt-outs/opt-out-store.ts';
import type { AttemptOutcomes } from './attempt-outcomes.ts';
import type { Messages } from './message-store.ts';
import type { MessageViews } from './message-views.ts';
import type { SendLimit } from './send-limit.ts';
import { notFound, Refused, refusal } from '@parley/errors';
import { isAllowedDestination } from '@parley/phone-numbers';
import type { MessageService, SendMessageRequest } from '@parley/proto/messaging_inbox/v1/messages_pb';
import type { EmployeePrincipal, Handler } from '@parley/rpc';
import type { Numbers, SendingNumber } from '../numbers/numbers-client.ts';
import { requireTexting } from '../texting/texting-access.ts';
import type { MessageProjection } from '../projection/message-projection.ts';
import { type OutboundMessage, textContext } from './message.ts';
import { createOutboundMessage, keyConflict } from './outbound-message.ts';
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
import { encodingOf } from './sms-encoding.ts';

export interface MessageDeps {
  readonly messages: Messages;
  readonly views: MessageViews;
  readonly outcomes: AttemptOutcomes;
  readonly optOuts: OptOuts;
  readonly numbers: Numbers;
  readonly directory: Directory;
  readonly encryptor: Encryptor;
  readonly sendLimit: SendLimit;
  readonly createMessage: MessageProjection['create'];
  readonly clock: Clock;
  /** Microseconds since 1970, always growing. */
  readonly tick: () => number;
}

/** A request with valid fields. */
interface CheckedRequest {
  readonly key: string;
  readonly to: string;
  readonly text: string;
  readonly employeeId: string;
}

export const sendMessageRpc =
  (deps: MessageDeps): Handler<typeof MessageService.method.sendMessage, EmployeePrincipal> =>
  async (request, { principal: { companyId, employeeId }, signal }) => {
    const { messages, outcomes, views } = deps;
    const [company, number] = await Promise.all([
      requireTexting(deps.directory, companyId),
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
    if (error.refusal === keyConflict && first)
      await deps.sendLimit.withdrawRepetition(number.id, request.key, first.createdAt);
    return known;
  }
}

async function storeMessage(
  { createMessage, directory, optOuts, encryptor, sendLimit, clock, tick }: MessageDeps,
  company: Company,
  number: SendingNumber,
  { key, to, text, employeeId }: CheckedRequest,
): Promise<StoredNow> {
  const { companyId } = number;
  if (!number.canSend) throw new Refused(sendingUnavailable);
  if (!isAllowedDestination(to, company)) throw new Refused(destinationNotAllowed);
  const [names, isOptedOut] = await Promise.all([
    directory.employeeNames(companyId, [employeeId]),
    optOuts.isOptedOut(companyId, number.id, to),
  ]);
  const name = names.get(employeeId);
  if (name === undefined) throw new Refused(refusal('forbidden', 'forbidden'));
  if (isOptedOut) throw new Refused(recipientOptedOut);
  // The key makes it count once, also when the same request comes twice at once.
  if (!(await sendLimit.take(number.id, key))) throw new Refused(rateLimited);
  const id = newId('msg');
  const decision = createOutboundMessage(
    {
      id,
      companyId,
      businessNumberId: number.id,
      businessNumberName: number.name,
      from: number.number,
      to,
      externalNumber: to,
      encryptedText: encryptor.encrypt(text, textContext(id)),
      createdAtMicros: tick(),
      encoding: encodingOf(text),
      author: { type: 'employee', id: employeeId, name },
    },
    key,
    clock.now(),
  );
  if (!decision.ok) throw new Error('a decision that never refuses');
  const { shown } = await createMessage(decision);
  return { stored: decision.state, shown, names };
}

function refuseIf(problem: ConstructorParameters<typeof Refused>[0] | undefined): void {
  if (problem) throw new Refused(problem);
}
