import type { Decision } from '@parley/errors';
import type { Keyword } from '../opt-outs/keyword.ts';

export type MessageStatus = 'queued' | 'accepted' | 'delivered' | 'failed' | 'unknown' | 'received';

export type MessageAuthor =
  | { readonly type: 'customer' }
  /** `name` is the name at the time of sending; what is shown is the present one. */
  | { readonly type: 'employee'; readonly id: string; readonly name: string }
  /** `name`: what it is shown as; absent for automatic replies. */
  | { readonly type: 'automation'; readonly name?: string };

export type SmsEncoding = 'gsm7' | 'ucs2';

/** A report of the provider about an attempt, one for each of its own statuses. */
export interface RecordedReport {
  readonly providerStatus: string;
  readonly at: Date;
}

/** One submission to the provider: each may be charged. */
export interface Attempt {
  /** The idempotency key of its request. */
  readonly key: string;
  /** The requesting employee; null for automation. */
  readonly employeeId: string | null;
  readonly createdAt: Date;
  readonly status: Exclude<MessageStatus, 'received'>;
  readonly providerId: string | null;
  readonly failureCode: string | null;
  readonly reports: readonly RecordedReport[];
  /** True once the provider has reported a final status. */
  readonly finalized: boolean;
}

interface MessageFields {
  readonly id: string;
  readonly companyId: string;
  readonly businessNumberId: string;
  /** The label at the time of storing; what is shown is the present one. */
  readonly businessNumberName: string;
  /** E.164. */
  readonly from: string;
  readonly to: string;
  /** The other side's number, whichever way the message went. */
  readonly externalNumber: string;
  /** Encrypted for the context of `textContext(id)`. */
  readonly encryptedText: string;
  /** Microseconds since 1970. */
  readonly createdAtMicros: number;
  /** Chargeable parts as the provider counts them. */
  readonly smsCount: number | null;
  readonly encoding: SmsEncoding | null;
}

export interface InboundMessage extends MessageFields {
  readonly direction: 'inbound';
  readonly status: 'received';
  /** Unique: the provider repeats its callbacks. */
  readonly providerMessageId: string;
  readonly receivedAt: Date | null;
}

export interface OutboundMessage extends MessageFields {
  readonly direction: 'outbound';
  readonly author: Extract<MessageAuthor, { type: 'employee' | 'automation' }>;
  readonly status: Exclude<MessageStatus, 'received'>;
  readonly failureCode: string | null;
  readonly deliveredAt: Date | null;
  /** Oldest first; at least one. */
  readonly attempts: readonly Attempt[];
  /** The keys of the attempts, unique within a business number. */
  readonly keys: readonly string[];
  /** True while the provider may have accepted the last attempt under an unknown id; absent otherwise. */
  readonly unidentified?: true;
}

export type Message = InboundMessage | OutboundMessage;

export interface MessageEvent {
  readonly type:
    | 'messaging-inbox.message.received'
    | 'messaging-inbox.message.created'
    | 'messaging-inbox.message.status_changed'
    | 'messaging-inbox.message.updated';
  readonly message: Message;
}

/** Submits an attempt to the provider, at most once. */
export interface SubmitCommand {
  readonly kind: 'submit';
  /** Index of the attempt. */
  readonly attempt: number;
}

/** Confirms a keyword; may be repeated. */
export interface AnswerKeywordCommand {
  readonly kind: 'answer_keyword';
  readonly keyword: Keyword;
}

/** Replies outside business hours; may be repeated. */
export interface AutoReplyCommand {
  readonly kind: 'auto_reply';
}

/** Brings the text into the inbox when it was stored, and notifies open dashboards; may be repeated. */
export interface ShowCommand {
  readonly kind: 'show';
  /** False after a change of status. */
  readonly stored: boolean;
}

/** Does what follows from an incoming text. */
export type ReplyCommand = AnswerKeywordCommand | AutoReplyCommand;

export type MessageCommand = SubmitCommand | ShowCommand | ReplyCommand;

/** When a confirmation that had to wait for a place in its budget is tried again: one timer for each keyword. */
export type MessageTimer = `answer_${Keyword}`;

export type MessageDecision<State extends Message = Message> = Decision<
  State,
  MessageEvent,
  MessageCommand,
  MessageTimer
>;

/** The characters of GSM 03.38. */
const GSM7 = /^[\n\f\r -_a-~¡£¤¥§¿ÄÅÆÇÉÑÖØÜßàäåæèéìñòöøùüΓΔΘΛΞΠΣΦΨΩ€]*$/;

/** The encoding that a text needs. */
export function encodingOf(text: string): SmsEncoding {
  return GSM7.test(text) ? 'gsm7' : 'ucs2';
}

/**
 * Stores a new text. `shown` resolves when its command `show` has been executed once, so that the inbox shows the text from then on; also
 * when that has failed: the command is repeated until it succeeds.
 */
export type CreateMessage = <State extends Message>(
  decision: MessageDecision<State>,
) => Promise<{ readonly message: State; readonly shown: Promise<void> }>;

/** Authenticated with the ciphertext: a text cannot be decrypted as that of another message. */
export function textContext(messageId: string): string {
  return `message/${messageId}/text`;
}

export function authorOf(message: Message): MessageAuthor {
  return message.direction === 'inbound' ? { type: 'customer' } : message.author;
}

export function lastAttempt(message: OutboundMessage): Attempt {
  const attempt = message.attempts.at(-1);
  if (!attempt) throw new Error(`message ${message.id} has no attempt`);
  return attempt;
}

/** True when an employee may submit it again, apart from what the sender can do now. Automatic texts are never repeated. */
export function isRetryable(message: Message): message is OutboundMessage {
  return (
    message.direction === 'outbound' &&
    message.author.type === 'employee' &&
    message.status === 'failed' &&
    lastAttempt(message).status === 'failed'
  );
}
