import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import type { MessageInitShape } from '@bufbuild/protobuf';
import {
  type CallAssistantSchema,
  CallAssistantState,
  CallDirection,
  CallState,
} from '@parley/proto/call_control/v1/calls_pb';
import type { ContactSchema } from '@parley/proto/directory/v1/contacts_pb';
import type { CommentSchema } from '@parley/proto/messaging_inbox/v1/comments_pb';
import {
  type InboxItemSchema,
  InboxItemType,
  type InboxThreadSchema,
  ThreadState,
} from '@parley/proto/messaging_inbox/v1/inbox_pb';
import { type Message, type MessageSchema, MessageStatus } from '@parley/proto/messaging_inbox/v1/messages_pb';
import type { ShownContact } from '../contacts/contact-copy-store.ts';
import type { CallContent, InboxItem, ItemAssistant, ItemContent } from '../projection/inbox-item.ts';
import type { ListedThread } from './list-threads-store.ts';
import type { ItemTexts } from '../projection/item-texts.ts';
import { isDone, type LatestItem } from '../projection/thread.ts';
import { stateToProto } from '../threads/thread-handling-store.ts';
import type { ThreadState as HandlingState } from '../threads/thread-handling.ts';

const PREVIEW_LENGTH_MAX = 160;
const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

const callStates: Readonly<Record<CallContent['state'], CallState>> = {
  initiated: CallState.INITIATED,
  queued: CallState.QUEUED,
  answered: CallState.ANSWERED,
  playing_audio: CallState.PLAYING_AUDIO,
  transferring: CallState.TRANSFERRING,
  recording: CallState.RECORDING,
  bridged: CallState.BRIDGED,
  ended: CallState.ENDED,
};

const itemTypes: Readonly<Record<ItemContent['type'], InboxItemType>> = {
  call: InboxItemType.CALL,
  voicemail: InboxItemType.VOICEMAIL,
  message: InboxItemType.MESSAGE,
};

/** Undefined when none is given. */
export function stateFromProto(state: ThreadState): HandlingState | undefined {
  if (state === ThreadState.UNSPECIFIED) return undefined;
  return state === ThreadState.DONE ? 'done' : 'open';
}

const directionToProto = (direction: InboxItem['direction']) =>
  direction === 'inbound' ? CallDirection.INBOUND : CallDirection.OUTBOUND;

/** The fields of the latest text that a thread displays. */
export interface TextPreview {
  readonly text: string;
  readonly status: MessageStatus;
}

/** A text as it is shown; whether it was seen is the inbox's own. */
export type ShownMessage = MessageInitShape<typeof MessageSchema> & Pick<Message, 'id' | 'text'>;

export interface ThreadContext {
  readonly contact: ShownContact | undefined;
  /** The latest item, when it is a text. */
  readonly message: TextPreview | undefined;
  readonly withMessages: boolean;
  readonly canSend: (businessNumberId: string) => boolean;
  /** Undefined when the employee is no longer one. */
  readonly nameOf: (employeeId: string) => string | undefined;
  readonly texts: ItemTexts;
}

export function threadToProto(
  { thread, summary }: ListedThread,
  { contact, message, withMessages, canSend, nameOf, texts }: ThreadContext,
): MessageInitShape<typeof InboxThreadSchema> {
  const { latestItem, lastActivityAt, unseenCount } = summary;
  const { content } = latestItem;
  const assigneeId = thread.handling?.assigneeId ?? undefined;
  const assigneeName = assigneeId && nameOf(assigneeId);
  return {
    phoneNumber: thread.phone,
    ...(contact && { contact: contactToProto(contact) }),
    lastActivityAtMicros: BigInt(lastActivityAt),
    unseenCount,
    ...(assigneeId && assigneeName && { assignee: { id: assigneeId, name: assigneeName } }),
    state: stateToProto[isDone(thread) ? 'done' : 'open'],
    businessNumberIds: [...(withMessages ? thread.businessNumberIds : thread.callNumberIds)],
    ...(canSend(latestItem.businessNumberId) && { replyBusinessNumberId: latestItem.businessNumberId }),
    preview: previewOf(latestItem, content.type === 'message' ? message?.text : previewedTextOf(latestItem, texts)),
    latestItem: {
      id: latestItem.id,
      type: itemTypes[content.type],
      businessNumberId: latestItem.businessNumberId,
      direction: directionToProto(latestItem.direction),
      ...(content.type === 'message' && { status: message?.status ?? MessageStatus.UNKNOWN }),
      ...(content.type === 'call' && { missed: content.missed }),
      ...(content.type === 'call' && content.assistantOutcome && { assistantOutcome: content.assistantOutcome }),
    },
  };
}

/** Undefined for a text that is not there any more. */
export function itemToProto(
  item: InboxItem,
  numberName: string | undefined,
  message: ShownMessage | undefined,
  texts: ItemTexts,
): MessageInitShape<typeof InboxItemSchema> | undefined {
  const content = contentToProto(item, message && { ...message, ...seenAtOf(item) }, texts);
  if (!content) return undefined;
  return {
    id: item.id,
    createdAtMicros: BigInt(item.createdAt),
    businessNumberId: item.businessNumberId,
    ...(numberName !== undefined && { businessNumberName: numberName }),
    ...seenAtOf(item),
    direction: directionToProto(item.direction),
    from: item.from,
    to: item.to,
    ...(item.durationSecs !== null && { durationSecs: item.durationSecs }),
    content,
  };
}

export function commentItem(comment: MessageInitShape<typeof CommentSchema>): MessageInitShape<typeof InboxItemSchema> {
  const { id = '', createdAtMicros = 0n } = comment;
  return { id, createdAtMicros, content: { case: 'comment', value: comment } };
}

function seenAtOf({ seenAt }: InboxItem): { seenAtMicros?: bigint } {
  return seenAt === null ? {} : { seenAtMicros: BigInt(seenAt) };
}

function contentToProto(
  item: InboxItem,
  message: ShownMessage | undefined,
  texts: ItemTexts,
): MessageInitShape<typeof InboxItemSchema>['content'] | undefined {
  const { content } = item;
  switch (content.type) {
    case 'call': {
      const summary = spokenTextOf(item, texts);
      const { state, missed, employee, hasTranscription, assistant } = content;
      return {
        case: 'call',
        value: {
          state: callStates[state],
          missed,
          hasTranscription,
          ...(summary !== null && { summary }),
          ...(employee && { employee }),
          ...(assistant && { assistant: assistantToProto(assistant) }),
        },
      };
    }
    case 'voicemail': {
      const transcription = spokenTextOf(item, texts);
      const { listened, callId } = content;
      return {
        case: 'voicemail',
        value: { listened, callId, ...(transcription !== null && { transcription }) },
      };
    }
    case 'message':
      return message && { case: 'message', value: message };
  }
}

const assistantStates = {
  talking: CallAssistantState.TALKING,
  transferring: CallAssistantState.TRANSFERRING,
  left: CallAssistantState.LEFT,
} as const satisfies Record<ItemAssistant['state'], CallAssistantState>;

function assistantToProto({ state, outcome, ...others }: ItemAssistant): MessageInitShape<typeof CallAssistantSchema> {
  return { ...others, state: assistantStates[state], ...(outcome !== null && { outcome }) };
}

/** The message that an assistant took says more than the summary of its call. */
function previewedTextOf(item: LatestItem, texts: ItemTexts): string | null {
  const { id, content } = item;
  return (content.type === 'call' && texts.textOf(id, content.message ?? null)) || spokenTextOf(item, texts);
}

/** The summary of a call, or the transcription of a voicemail. */
function spokenTextOf({ id, content }: LatestItem, texts: ItemTexts): string | null {
  if (content.type === 'message') return null;
  return texts.textOf(id, content.type === 'call' ? content.summary : content.transcription);
}

export function contactToProto(contact: ShownContact): MessageInitShape<typeof ContactSchema> {
  const { id, phone, phoneFormatted, name, email, companyName, note, createdAt, updatedAt } = contact;
  return {
    id,
    phone,
    phoneFormatted,
    ...(name !== null && { name }),
    ...(email !== null && { email }),
    ...(companyName !== null && { companyName }),
    ...(note !== null && { note }),
    createdAt: timestampFromDate(createdAt),
    updatedAt: timestampFromDate(updatedAt),
  };
}

/** The preview of the latest item. `text`: the body of a text, or a transcription. */
function previewOf(item: LatestItem, text: string | null | undefined): string {
  return cut(text?.trim() || fallbackLabel(item));
}

function fallbackLabel({ content, direction }: LatestItem): string {
  if (content.type === 'voicemail') return 'Voicemail';
  if (content.type === 'message') return 'Text message';
  if (direction === 'outbound') return 'Outgoing call';
  return content.missed ? 'Missed call' : 'Incoming call';
}

/** Never through the middle of what a reader sees as one character. */
function cut(text: string): string {
  if (text.length <= PREVIEW_LENGTH_MAX) return text;
  let end = 0;
  for (const { index, segment } of graphemes.segment(text)) {
    if (index + segment.length > PREVIEW_LENGTH_MAX) break;
    end = index + segment.length;
  }
  return text.slice(0, end);
}
