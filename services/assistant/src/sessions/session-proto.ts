import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { AssistantEngine } from '@parley/proto/assistant/v1/assistants_pb';
import type { SessionItemSchema, SessionMessageSchema, SessionSchema } from '@parley/proto/assistant/v1/sessions_pb';
import { CallAssistantState } from '@parley/proto/call_control/v1/calls_pb';
import type { NumberedItem } from './item-store.ts';
import type { EngineInUse } from '../engine/answer.ts';
import { secondsOf, type Session } from './session.ts';
import type { SessionContent, TakenMessage } from './session-content.ts';
import type { SessionItem } from './session-item.ts';

const states = {
  talking: CallAssistantState.TALKING,
  transferring: CallAssistantState.TRANSFERRING,
  ended: CallAssistantState.LEFT,
} as const;

const engines: Record<EngineInUse, AssistantEngine> = {
  embedded: AssistantEngine.EMBEDDED,
  endpoint: AssistantEngine.ENDPOINT,
};

export const engineToProto = (engine: EngineInUse): AssistantEngine => engines[engine];

/** Without content, as in events, nothing that was said is in it. */
export function sessionToProto(
  session: Session,
  now: Date,
  content?: SessionContent,
): MessageInitShape<typeof SessionSchema> {
  const { usage, model, outcome, fallbackReason, endedAt } = session;
  return {
    id: session.id,
    callId: session.callId,
    companyId: session.companyId,
    assistant: { id: session.assistantId, name: session.assistantName },
    engine: engines[session.engine],
    ...(model !== null && { model }),
    language: session.language,
    state: states[session.state],
    ...(outcome !== null && { outcome }),
    ...(fallbackReason !== null && { fallbackReason }),
    startedAt: timestampFromDate(session.startedAt),
    ...(endedAt && { endedAt: timestampFromDate(endedAt) }),
    ...(content && contentToProto(content)),
    usage: {
      turns: usage.turns,
      seconds: secondsOf(session, now),
      inputTokens: BigInt(usage.inputTokens),
      outputTokens: BigInt(usage.outputTokens),
      ...(usage.costMicros !== null && { cost: amountOf(usage.costMicros) }),
    },
  };
}

function contentToProto({ callerName, contactId, message, summary }: SessionContent) {
  return {
    ...(callerName !== null && { callerName }),
    ...(contactId !== null && { callerContactId: contactId }),
    ...(message && { message: messageToProto(message) }),
    ...(summary !== null && { summary }),
  };
}

export function messageToProto(message: TakenMessage): MessageInitShape<typeof SessionMessageSchema> {
  const { text, callerName, callbackNumber, wanted, callbackRequested } = message;
  return {
    text,
    ...(callerName !== null && { callerName }),
    ...(callbackNumber !== null && { callbackNumber }),
    ...(message.for && { for: message.for }),
    callbackRequested,
    ...(wanted !== null && { wanted }),
    takenAt: timestampFromDate(new Date(message.takenAt)),
  };
}

/** Millionths as a decimal number. */
function amountOf(micros: number): string {
  return (micros / 1_000_000).toFixed(6).replace(/\.?0+$/, '');
}

export function itemToProto({ sequence, item }: NumberedItem): MessageInitShape<typeof SessionItemSchema> {
  return { sequence, item: itemCase(item) };
}

function itemCase(item: SessionItem): MessageInitShape<typeof SessionItemSchema>['item'] {
  switch (item.type) {
    case 'turn':
      return {
        case: 'turn',
        value: {
          byAssistant: item.speaker === 'assistant',
          ...(item.text !== null && { text: item.text }),
          ...(item.spoken !== null && { spoken: item.spoken }),
          interrupted: item.interrupted,
          engine: item.engine ? engines[item.engine] : AssistantEngine.UNSPECIFIED,
          sources: item.sources.map(({ type, id }) => ({ type, ...(id !== undefined && { id }) })),
          ...(item.responseMs !== null && { responseMs: item.responseMs }),
          startedAt: timestampFromDate(item.startedAt),
          ...(item.endedAt && { endedAt: timestampFromDate(item.endedAt) }),
        },
      };
    case 'action':
      return {
        case: 'action',
        value: {
          action: item.action,
          argumentsJson: JSON.stringify(item.arguments),
          ...(item.target && { target: item.target }),
          ...(item.result !== null && { result: item.result }),
          startedAt: timestampFromDate(item.startedAt),
          ...(item.endedAt && { endedAt: timestampFromDate(item.endedAt) }),
        },
      };
    case 'key':
      return { case: 'key', value: { key: item.key, at: timestampFromDate(item.at) } };
    case 'event':
      return {
        case: 'event',
        value: {
          event: item.event,
          ...(item.detail !== null && { detail: item.detail }),
          at: timestampFromDate(item.at),
        },
      };
  }
}
