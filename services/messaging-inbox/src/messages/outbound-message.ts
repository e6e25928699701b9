import { decided, type Refusal, refusal, refused } from '@parley/errors';
import { newId } from '@parley/secrets';
import type { SendingNumber } from '../numbers/numbers-client.ts';
import type { ServiceContext } from '../service-context.ts';
import {
  type Attempt,
  encodingOf,
  isRetryable,
  lastAttempt,
  type Message,
  type MessageCommand,
  type MessageDecision,
  type MessageEvent,
  type MessageTimer,
  type OutboundMessage,
  type SmsEncoding,
  textContext,
} from './message.ts';

export type SubmitResult =
  | {
      readonly outcome: 'accepted';
      readonly providerId: string;
      readonly smsCount: number | null;
      readonly encoding: SmsEncoding | null;
    }
  /** The provider refused it, or was never reached: nothing was sent. */
  | { readonly outcome: 'failed'; readonly failureCode: string; readonly providerId: string | null }
  | { readonly outcome: 'unknown' };

/** The error of an attempt that never reached the provider. */
export const PROVIDER_UNAVAILABLE = 'provider_unavailable';

export const keyConflict = refusal('idempotency_key_conflict', 'the idempotency key was used for another request');
export const notRetryable = refusal('not_retryable', 'only a text that definitely failed can be sent again');

/** Everything about a text that is to be sent; its checks are done. */
export type NewOutboundMessage = Omit<
  OutboundMessage,
  'direction' | 'status' | 'failureCode' | 'deliveredAt' | 'attempts' | 'keys' | 'smsCount' | 'unidentified'
>;

export function createOutboundMessage(
  fields: NewOutboundMessage,
  key: string,
  now: Date,
): MessageDecision<OutboundMessage> {
  const employeeId = fields.author.type === 'employee' ? fields.author.id : null;
  const message: OutboundMessage = {
    ...fields,
    direction: 'outbound',
    status: 'queued',
    failureCode: null,
    deliveredAt: null,
    smsCount: null,
    attempts: [newAttempt(key, employeeId, now)],
    keys: [key],
    unidentified: true,
  };
  return decided<OutboundMessage, MessageEvent, MessageCommand, MessageTimer>(
    message,
    [{ type: 'messaging-inbox.message.created', message }],
    {
      commands: [
        { kind: 'show', stored: true },
        { kind: 'submit', attempt: 0 },
      ],
    },
  );
}

/** A text from a business number, which is encrypted and gets its id and time. */
export function newOutboundText(
  { encryptor, clock, tick }: Pick<ServiceContext, 'encryptor' | 'clock' | 'tick'>,
  number: SendingNumber,
  { to, text, author, key }: { to: string; text: string; author: OutboundMessage['author']; key: string },
): MessageDecision<OutboundMessage> {
  const id = newId('msg');
  const fields = {
    id,
    companyId: number.companyId,
    businessNumberId: number.id,
    businessNumberName: number.name,
    from: number.number,
    to,
    externalNumber: to,
    encryptedText: encryptor.encrypt(text, textContext(id)),
    createdAtMicros: tick(),
    encoding: encodingOf(text),
    author,
  };
  return createOutboundMessage(fields, key, clock.now());
}

function newAttempt(key: string, employeeId: string | null, now: Date): Attempt {
  return {
    key,
    employeeId,
    createdAt: now,
    status: 'queued',
    providerId: null,
    failureCode: null,
    reports: [],
    finalized: false,
  };
}

/**
 * The attempt of a repeated key. Undefined when the key is new to the message; a refusal when it was used for
 * another operation: the first attempt is requested by sending, all others by retrying.
 */
export function attemptOfRetryKey(
  message: Message,
  key: string,
  employeeId: string,
): { attempt: number } | { refusal: Refusal } | undefined {
  const attempt = message.direction === 'outbound' ? message.keys.indexOf(key) : -1;
  if (attempt < 0 || message.direction !== 'outbound') return undefined;
  const same = attempt > 0 && message.attempts[attempt]?.employeeId === employeeId;
  return same ? { attempt } : { refusal: keyConflict };
}

/** Adds an attempt. Until its outcome is known the message shows the failure of the one before. */
export function retryMessage(
  message: Message,
  { key, employeeId }: { key: string; employeeId: string },
  now: Date,
): MessageDecision {
  const known = attemptOfRetryKey(message, key, employeeId);
  if (known) return 'refusal' in known ? refused(known.refusal) : decided(message);
  if (!isRetryable(message)) return refused(notRetryable);
  const next: OutboundMessage = {
    ...message,
    attempts: [...message.attempts, newAttempt(key, employeeId, now)],
    keys: [...message.keys, key],
    unidentified: true,
  };
  return decided<Message, MessageEvent, MessageCommand, MessageTimer>(next, [], {
    commands: [{ kind: 'submit', attempt: message.attempts.length }],
  });
}

/** Stores the provider's response. A report may have been faster: then only the missing fields are added. */
export function settleSubmission(message: Message, index: number, result: SubmitResult): MessageDecision {
  const attempt = message.direction === 'outbound' ? message.attempts[index] : undefined;
  if (!attempt || message.direction !== 'outbound') return decided(message);
  const open = attempt.status === 'queued';
  switch (result.outcome) {
    case 'accepted': {
      const { providerId, smsCount, encoding } = result;
      const next = { ...attempt, providerId, ...(open && { status: 'accepted' as const }) };
      return changeAttempt(message, index, next, {
        ...(smsCount !== null && { smsCount }),
        ...(encoding !== null && { encoding }),
      });
    }
    case 'failed': {
      const { outcome: status, failureCode, providerId } = result;
      return changeAttempt(message, index, open ? { ...attempt, status, failureCode, providerId } : attempt);
    }
    case 'unknown':
      return changeAttempt(message, index, open ? { ...attempt, status: 'unknown' } : attempt);
  }
}

/** The message with a changed attempt: its status is that of its last attempt. */
export function changeAttempt(
  message: OutboundMessage,
  index: number,
  attempt: Attempt,
  fields: Partial<Pick<OutboundMessage, 'smsCount' | 'encoding' | 'deliveredAt'>> = {},
): MessageDecision {
  const attempts = message.attempts.with(index, attempt);
  const last = lastAttempt({ ...message, attempts });
  const waiting = last.status === 'queued';
  const { unidentified: _, ...rest } = message;
  const next: OutboundMessage = {
    ...rest,
    ...fields,
    ...(last.providerId === null && last.status !== 'failed' && { unidentified: true }),
    attempts,
    status: waiting ? message.status : last.status,
    failureCode: waiting ? message.failureCode : last.failureCode,
  };
  return decided<Message, MessageEvent, MessageCommand, MessageTimer>(next, changeEvents(message, next), {
    commands: message.status === next.status ? [] : [{ kind: 'show', stored: false }],
  });
}

function changeEvents(before: OutboundMessage, message: OutboundMessage): MessageEvent[] {
  if (before.status !== message.status) return [{ type: 'messaging-inbox.message.status_changed', message }];
  const shown = ['failureCode', 'smsCount', 'encoding', 'deliveredAt'] as const;
  if (shown.every((name) => before[name] === message[name])) return [];
  return [{ type: 'messaging-inbox.message.updated', message }];
}
