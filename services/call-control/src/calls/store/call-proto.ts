import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { encodeMessage, type EncodedMessage } from '@parley/events';
import {
  type CallAssistantSchema,
  CallAssistantState,
  CallbackState,
  CallDirection as ProtoDirection,
  type CallSchema,
  CallState as ProtoState,
} from '@parley/proto/call_control/v1/calls_pb';
import { assistantStateOf } from '../model/assistant-state.ts';
import type { CallAssistant } from '../model/call-assistant.ts';
import type { Transcript, TranscriptSegment } from '../model/transcript.ts';
import {
  type Call,
  type Callback,
  type CallDirection,
  type CallEvent,
  type CallState,
  isMissed,
  isOnHold,
  isRecordingPaused,
} from '../model/call.ts';

const states: Record<CallState, ProtoState> = {
  initiated: ProtoState.INITIATED,
  queued: ProtoState.QUEUED,
  answered: ProtoState.ANSWERED,
  playing_audio: ProtoState.PLAYING_AUDIO,
  transferring: ProtoState.TRANSFERRING,
  recording: ProtoState.RECORDING,
  bridged: ProtoState.BRIDGED,
  ended: ProtoState.ENDED,
};

const directions: Record<CallDirection, ProtoDirection> = {
  inbound: ProtoDirection.INBOUND,
  outbound: ProtoDirection.OUTBOUND,
};

/** Undefined for UNSPECIFIED, and for values of a newer version. */
export function stateFromProto(state: ProtoState): CallState | undefined {
  return (Object.keys(states) as CallState[]).find((candidate) => states[candidate] === state);
}

export function directionFromProto(direction: ProtoDirection): CallDirection | undefined {
  return (Object.keys(directions) as CallDirection[]).find((candidate) => directions[candidate] === direction);
}

export function directionToProto(direction: CallDirection): ProtoDirection {
  return directions[direction];
}

/** The fields of a call's representation that are stored elsewhere. */
interface CallRelations {
  readonly transcript?: Transcript | undefined;
  /** That of the transcript, unless stated otherwise. */
  readonly summary?: string | null | undefined;
  /** A signed address of the recording, which expires. */
  readonly recordingUrl?: string | undefined;
  readonly note?: string | null | undefined;
  readonly tags?: readonly string[] | undefined;
  /** Present for a queued call. */
  readonly queue?: { readonly position: number; readonly waitingSecs: number } | undefined;
}

export function callToProto(
  call: Call,
  { transcript, summary = transcript?.summary, recordingUrl, note, tags = [], queue }: CallRelations = {},
): MessageInitShape<typeof CallSchema> {
  return {
    id: call.id,
    companyId: call.companyId,
    from: call.from,
    to: call.to,
    direction: directions[call.direction],
    state: states[call.state],
    startedAt: timestampFromDate(call.startedAt),
    ...(call.answeredAt && { answeredAt: timestampFromDate(call.answeredAt) }),
    ...(call.endedAt && { endedAt: timestampFromDate(call.endedAt) }),
    ...(call.durationSecs !== null && { durationSecs: call.durationSecs }),
    ...(summary && { summary }),
    hasTranscription: call.hasTranscription ?? false,
    ...(transcript &&
      call.hasTranscription && {
        transcription: transcript.text,
        transcriptionSegments: transcript.segments.map(segmentToProto),
      }),
    ...(recordingUrl !== undefined && { recordingUrl }),
    mainNumberId: call.number.id,
    mainNumberName: call.number.name,
    mainNumber: call.number.number,
    mainNumberFormatted: call.number.formatted,
    employees: call.employees.map(({ id, name }) => ({ id, name })),
    ...(call.initiatedBy && { initiatedBy: { id: call.initiatedBy.id, name: call.initiatedBy.name } }),
    missed: isMissed(call),
    abandoned: call.abandoned ?? false,
    ...(call.voicemailId !== null && { voicemailId: call.voicemailId }),
    callControlId: call.customerLegId,
    ...(note && { note }),
    tags: [...tags],
    onHold: isOnHold(call),
    recordingPaused: isRecordingPaused(call),
    ...(queue && { queuePosition: queue.position, waitingSecs: queue.waitingSecs }),
    ...(call.callback && { callback: callbackToProto(call.callback) }),
    ...(call.assistant && { assistant: assistantToProto(call.assistant, call) }),
  };
}

const assistantStates = {
  talking: CallAssistantState.TALKING,
  transferring: CallAssistantState.TRANSFERRING,
  left: CallAssistantState.LEFT,
} as const;

function assistantToProto(assistant: CallAssistant, call: Call): MessageInitShape<typeof CallAssistantSchema> {
  const { id, name, engine, outcome, fallbackReason, sessionId } = assistant;
  return {
    id,
    name,
    engine,
    state: assistantStates[assistantStateOf(call)],
    ...(outcome !== null && { outcome }),
    ...(fallbackReason !== null && { fallbackReason }),
    ...(sessionId !== null && { sessionId }),
    sessionStored: call.isSessionStored ?? false,
  };
}

const callbackStates: Record<Callback['state'], CallbackState> = {
  waiting: CallbackState.WAITING,
  calling: CallbackState.CALLING,
  connected: CallbackState.CONNECTED,
  given_up: CallbackState.GIVEN_UP,
};

export function callbackToProto({ requestedAt, state }: Callback) {
  return { requestedAt: timestampFromDate(requestedAt), state: callbackStates[state] };
}

function segmentToProto({ speaker, text, employeeId, startMs, endMs }: TranscriptSegment) {
  return { speaker, text, startMs, endMs, ...(employeeId !== null && { employeeId }) };
}

/** Every event of a call carries the call, without what was said in it: events are stored as they are. */
export function encodeCallEvent({ type, call, current }: CallEvent): EncodedMessage {
  // One that is not kept any longer is not in the event either.
  if (type === 'call-control.call.deleted') return encodeMessage(type, { callId: call.id });
  return encodeMessage(type, { call: callToProto(call), ...(current && { current: callToProto(current) }) });
}
