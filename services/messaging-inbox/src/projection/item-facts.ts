import { type Timestamp, timestampDate } from '@bufbuild/protobuf/wkt';
import {
  type Call,
  type CallAssistant,
  CallAssistantState,
  CallDirection,
  CallState,
} from '@parley/proto/call_control/v1/calls_pb';
import type { Voicemail } from '@parley/proto/call_control/v1/voicemails_pb';
import type { Message } from '../messages/message.ts';
import type { CallContent, ItemAssistant, ItemFact } from './inbox-item.ts';
import type { ItemTexts } from './item-texts.ts';

/** The inbox's fields of a text never change. */
const MESSAGE_SEQUENCE = 1;

const callStates: Readonly<Record<CallState, CallContent['state']>> = {
  [CallState.UNSPECIFIED]: 'initiated',
  [CallState.INITIATED]: 'initiated',
  [CallState.QUEUED]: 'queued',
  [CallState.ANSWERED]: 'answered',
  [CallState.PLAYING_AUDIO]: 'playing_audio',
  [CallState.TRANSFERRING]: 'transferring',
  [CallState.RECORDING]: 'recording',
  [CallState.BRIDGED]: 'bridged',
  [CallState.ENDED]: 'ended',
};

const assistantStates: Readonly<Record<CallAssistantState, ItemAssistant['state']>> = {
  [CallAssistantState.UNSPECIFIED]: 'left',
  [CallAssistantState.TALKING]: 'talking',
  [CallAssistantState.TRANSFERRING]: 'transferring',
  [CallAssistantState.LEFT]: 'left',
};

/** `message`: that an assistant took. Undefined when the caller has no number to be listed under. */
export function callFact(call: Call, sequence: number, texts: ItemTexts, message?: string): ItemFact | undefined {
  const inbound = call.direction !== CallDirection.OUTBOUND;
  const phone = inbound ? call.from : call.to;
  if (!isE164(phone)) return undefined;
  const [employee] = call.employees;
  const sealedMessage = texts.seal(call.id, message);
  return {
    id: call.id,
    companyId: call.companyId,
    phone,
    businessNumberId: call.mainNumberId,
    direction: inbound ? 'inbound' : 'outbound',
    from: call.from,
    to: call.to,
    createdAt: micros(call.startedAt) ?? 0,
    durationSecs: call.durationSecs ?? null,
    content: {
      type: 'call',
      state: callStates[call.state],
      missed: call.missed,
      summary: texts.seal(call.id, call.summary),
      employee: employee ? { id: employee.id, name: employee.name } : null,
      hasTranscription: call.hasTranscription,
      ...(call.assistant && { assistant: assistantOf(call.assistant) }),
      ...(sealedMessage && { message: sealedMessage }),
    },
    seenAt: inbound ? (micros(call.answeredAt) ?? resolvedAt(call)) : null,
    sequence,
  };
}

function assistantOf({ id, name, state, outcome, engine }: CallAssistant): ItemAssistant {
  return { id, name, state: assistantStates[state], outcome: outcome ?? null, engine };
}

/** The end of a call in which an assistant left nothing to do. */
function resolvedAt({ assistant, endedAt }: Call): number | null {
  return assistant?.outcome === 'resolved' ? micros(endedAt) : null;
}

/** Undefined when the caller has no number to be listed under. */
export function voicemailFact(voicemail: Voicemail, sequence: number, texts: ItemTexts): ItemFact | undefined {
  if (!isE164(voicemail.from)) return undefined;
  return {
    id: voicemail.id,
    companyId: voicemail.companyId,
    phone: voicemail.from,
    businessNumberId: voicemail.mainNumberId,
    direction: 'inbound',
    from: voicemail.from,
    to: '',
    createdAt: micros(voicemail.createdAt) ?? 0,
    durationSecs: voicemail.durationSecs ?? null,
    content: {
      type: 'voicemail',
      transcription: texts.seal(voicemail.id, voicemail.transcription),
      listened: voicemail.listenedAt !== undefined,
      callId: voicemail.callId,
    },
    seenAt: null,
    sequence,
  };
}

/** The fact is the same after every change of the text. */
export function messageFact(message: Message): ItemFact {
  return {
    id: message.id,
    companyId: message.companyId,
    phone: message.externalNumber,
    businessNumberId: message.businessNumberId,
    direction: message.direction,
    from: message.from,
    to: message.to,
    createdAt: message.createdAtMicros,
    durationSecs: null,
    content: { type: 'message' },
    seenAt: null,
    sequence: MESSAGE_SEQUENCE,
  };
}

function isE164(phone: string): boolean {
  return /^\+\d{3,15}$/.test(phone);
}

function micros(timestamp: Timestamp | undefined): number | null {
  return timestamp ? timestampDate(timestamp).getTime() * 1000 : null;
}
