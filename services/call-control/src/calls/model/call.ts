import type { RecordingFile } from '../../recordings/recording-file.ts';
import type { AssistantOutcome, AssistedPhase, CallAssistant, Takeover } from './call-assistant.ts';
import type { Offer } from './offer.ts';
import type { TimelineEntry } from './timeline.ts';
import type { Supervision } from './supervision.ts';
import type { Transfer } from './transfer.ts';
import type { CallFlow, NoAnswerPlan, Prompt } from './call-flow.ts';
import type { Participant } from './participant.ts';

/** The states of the specification. */
export type CallState =
  | 'initiated'
  | 'queued'
  | 'answered'
  | 'playing_audio'
  | 'transferring'
  | 'recording'
  | 'bridged'
  | 'ended';

export type CallDirection = 'inbound' | 'outbound';

/** One phone's side of a call that exists, or may exist, on the switch. A leg that ended is removed. */
export interface Leg {
  /** Its uuid on the switch. */
  readonly id: string;
  /** Whose phone; null for the remote party, an assistant, and a phone outside that is nobody's. */
  readonly employeeId: string | null;
  /** `ordered`: the switch has not confirmed that it exists. */
  readonly status: 'ordered' | 'dialing' | 'answered';
  /** Waits for us in `park`: only then may it be bridged. */
  readonly parked: boolean;
  /** The switch has been commanded to end it. */
  readonly hangingUp: boolean;
  /** In the conference of a warm transfer. */
  readonly memberId: string | null;
  /** The dial string of the phone it rings at; null for the remote party and an assistant, and until it rings. */
  readonly contact: string | null;
  /** Present in a leg to a phone outside the company that is rung for the company. */
  readonly outside?: OutsideLeg;
}

/** The state of a phone outside the company that is rung instead of one of an employee. */
export interface OutsideLeg {
  /** E.164. */
  readonly to: string;
  /** The carrier in use, counted from 0. */
  readonly carrier: number;
  /** Whoever answers must press a key before being connected: a mailbox does not. */
  readonly needsKey: boolean;
  /** It is hung up if it has not answered, or not pressed the key, by then; null once it takes part in the call. */
  readonly until: Date | null;
  /** The audio that asks for the key; absent until it exists. */
  readonly promptHash?: string;
}

/** An employee who declined or did not take the call is not rung again before `until`. */
export interface Decline {
  readonly employeeId: string;
  readonly until: Date;
}

/** The current activity of the call. `playId` names the playback whose end moves the phase on. */
export type Phase =
  | { readonly kind: 'prompt'; readonly playId: string; readonly employeeIds: readonly string[] }
  | {
      readonly kind: 'menu';
      readonly menu: Extract<CallFlow, { type: 'menu' }>;
      readonly plays: number;
      readonly playId: string;
    }
  | {
      readonly kind: 'waiting';
      readonly playId: string;
      readonly employeeIds: readonly string[];
      readonly offers: readonly Offer[];
      readonly declinedUntil: readonly Decline[];
      /** The employees who have been rung one after the other, the last one at the end; absent where everybody rings at once. */
      readonly rung?: readonly string[];
    }
  /** A phone outside the company rings, or is asked for the key; the caller hears the wait audio. */
  | { readonly kind: 'forwarding'; readonly phoneNumber: string; readonly legId: string }
  /** The phones of the employee who is to call ring; the other side is dialled once one answers. */
  | { readonly kind: 'calling_employee'; readonly offer: Offer; readonly carriers: number }
  /** `carrier` is the one in use, counted from 0, of `carriers`. */
  | {
      readonly kind: 'dialing';
      readonly employee: Participant;
      readonly legId: string;
      readonly carrier: number;
      readonly carriers: number;
    }
  /** Answered; the remote party hears that the conversation is recorded, before both are connected. */
  | {
      readonly kind: 'announcing';
      readonly playId: string;
      readonly employee: Participant;
      readonly legId: string;
    }
  /** Answered, not bridged yet. */
  | { readonly kind: 'connecting'; readonly employee: Participant; readonly legId: string }
  | { readonly kind: 'talking'; readonly employee: Participant; readonly legId: string }
  /** The remote party is connected, or about to be, with a phone outside; no employee takes part any more. */
  | { readonly kind: 'outside'; readonly phoneNumber: string; readonly legId: string }
  /** The target of the open blind transfer rings. */
  | { readonly kind: 'blind_transfer' }
  /** Nobody took a blind transfer: the phones of its controller ring. `offer`: null until the controller is claimed. */
  | { readonly kind: 'returning'; readonly controller: Participant; readonly offer: Offer | null }
  | AssistedPhase
  | { readonly kind: 'greeting'; readonly playId: string }
  | { readonly kind: 'beep'; readonly playId: string }
  | { readonly kind: 'voicemail'; readonly playId: string; readonly recording: string }
  | { readonly kind: 'message'; readonly playId: string }
  | { readonly kind: 'hanging_up' }
  | { readonly kind: 'ended' };

/** The business number as it was when the call began. */
export interface CallNumber {
  readonly id: string;
  readonly name: string;
  readonly number: string;
  readonly formatted: string;
  readonly recordingEnabled: boolean;
  readonly waitAudio: 'ringtone' | 'music';
  /** Absent when all employees are rung at once. */
  readonly ringStrategy?: 'longest_idle' | 'in_order';
  /** Played to the remote party before a recorded conversation; absent when there is no announcement. */
  readonly recordingAnnouncement?: Prompt;
  /** Played to a waiting caller, one for each place in the queue from the first; absent when positions are not announced. */
  readonly positionPrompts?: readonly Prompt[];
  /** Offers a callback to a waiting caller; absent when it is not offered. */
  readonly callbackPrompt?: Prompt;
}

/** A waiting caller asked to be called back. */
export interface Callback {
  readonly requestedAt: Date;
  readonly state: 'waiting' | 'calling' | 'connected' | 'given_up';
  /** The number of attempts to reach the caller. */
  readonly attempts: number;
  /** No employee is rung for it before; null when one may be. */
  readonly notBefore: Date | null;
  /** E.164; absent for the number that called. */
  readonly number?: string;
}

/** The announcements of the place in the queue to a waiting caller. */
interface PlaceAnnouncement {
  readonly place: number;
  /** The last announced place, and when; null before the first announcement. */
  readonly told: { readonly place: number; readonly at: Date } | null;
}

/** The switch of the call, and the run of the switch's process. */
export interface SwitchReference {
  readonly name: string;
  readonly coreUuid: string;
}

/** An employee in conversation with the remote party, from a time of the recording on. */
export interface ConversationSpan {
  readonly employee: Participant;
  readonly recordedMs: number;
  /** Of a call with an assistant, which may have several: its name. Absent without a recording. */
  readonly recording?: string;
}

export interface RecordingPause {
  /** The requested state. */
  readonly isPaused: boolean;
  /** True once the switch has confirmed the requested state. */
  readonly isConfirmed: boolean;
  /** True while silence is recorded, as the switch confirmed it last. */
  readonly isMasked: boolean;
}

/** A phone call. */
export interface Call {
  readonly id: string;
  readonly companyId: string;
  readonly direction: CallDirection;
  /** E.164, or `anonymous`. */
  readonly from: string;
  readonly to: string;
  readonly state: CallState;
  readonly startedAt: Date;
  readonly queuedAt: Date | null;
  readonly answeredAt: Date | null;
  readonly endedAt: Date | null;
  readonly durationSecs: number | null;
  readonly number: CallNumber;
  /** The employee who placed an outbound call. */
  readonly initiatedBy: Participant | null;
  /** Present in a call to an emergency number: the address of the company. */
  readonly emergency?: { readonly address: string };
  /** The participants, in the order they joined. */
  readonly employees: readonly Participant[];
  /** The employees that the remote party was connected with, in order. */
  readonly conversationSpans: readonly ConversationSpan[];
  /** The caller hung up while waiting for an employee; absent before the end. */
  readonly abandoned?: boolean;
  readonly voicemailId: string | null;
  /** The recording whose audio decides whether the caller left a voicemail; absent or null when that is known. */
  readonly awaitedVoicemail?: string | null;
  /** The transcript is being removed, or was: none is stored any more. */
  readonly isContentRemoved?: true;
  /** Absent until there is a transcript. */
  readonly hasTranscription?: boolean;
  /** The summary of the session with an assistant, and what was said in it as far as it is kept, are stored with the transcript. */
  readonly isSessionStored?: true;

  /** Note and tags, encrypted; absent or null when there are none. */
  readonly sealedNotes?: string | null;
  /** Each hashed tag with each key of `listKeys`, for lists of calls with a tag. Absent when there are no tags. */
  readonly tagListKeys?: readonly string[];

  readonly phase: Phase;
  /** Whom the remote party waited for last, or waits for when a blind transfer fails; absent before. */
  readonly queue?: readonly string[];
  /** Absent until the place is known, and where nothing is said. */
  readonly placeAnnouncement?: PlaceAnnouncement;
  /** Absent unless the caller asked to be called back. */
  readonly callback?: Callback;
  /** When the caller pressed the key for it last; absent before. */
  readonly callbackAskedAt?: Date;
  /** The no-answer flow, which runs once; null when there is none, and while it runs. */
  readonly noAnswer: NoAnswerPlan | null;
  readonly switch: SwitchReference;
  readonly legs: readonly Leg[];
  /** The remote party's leg. */
  readonly customerLegId: string;
  /** True once the switch has been commanded to answer the remote party's leg of an inbound call. */
  readonly customerAnswered: boolean;
  /** Present while the remote party waits on hold or is being connected again; absent or null otherwise. */
  readonly hold?: Hold | null;
  /** Absent or null while nobody supervises the conversation. */
  readonly supervision?: Supervision | null;
  /** Absent in a call that no assistant was to answer. */
  readonly assistant?: CallAssistant;
  /** Absent or null while nobody wants to take over from the assistant. */
  readonly takeover?: Takeover | null;
  /** Absent or null before the first pause of the recording. */
  readonly recordingPause?: RecordingPause | null;
  /** The open transfer, or the last ones. */
  readonly transfers: readonly Transfer[];
  readonly recordings: readonly RecordingFile[];
  readonly timeline: readonly TimelineEntry[];
  /** Random; ids of legs, playbacks and recordings are derived from it, so that deciding stays pure. */
  readonly seed: string;
  /** The prompt that plays or whose audio is being generated, and how often its audio could not be found. */
  readonly prompt: { readonly prompt: Prompt; readonly failures: number; readonly isPrepared: boolean } | null;
  readonly idsDerived: number;

  /** Fields for queries, derived from the rest; see `derived-fields.ts`. */
  readonly remoteNumber: string;
  /** The numbers of phones outside that were rung for the company, also for an employee. Absent when there are none. */
  readonly outsideNumbers?: readonly string[];
  readonly listKeys: readonly string[];
  readonly isOpen: boolean;
  readonly legIds: readonly string[];
  /** Whom the call would ring, while it waits. */
  readonly waitingFor: readonly string[];
  /** The employees who are being rung, and the supervisor. */
  readonly offeredTo: readonly string[];
  /** The employees in conversation, and the target of the open transfer. */
  readonly activeFor: readonly string[];
}

export type CallEventType =
  | 'call-control.call.initiated'
  | 'call-control.call.outside_business_hours'
  | 'call-control.call.queued'
  | 'call-control.call.answered'
  | 'call-control.call.ended'
  | 'call-control.call.lost'
  | 'call-control.call.transcription_done'
  | 'call-control.call.held'
  | 'call-control.call.resumed'
  | 'call-control.call.note_changed'
  | 'call-control.call.updated'
  | 'call-control.call.deleted'
  | 'call-control.emergency_call.placed';

/** A fact about a call, with the call as it was then. */
export interface CallEvent {
  readonly type: CallEventType;
  readonly call: Call;
  /** The call at the end of the decision, where no further event says that it has changed; only in events of new calls. */
  readonly current?: Call;
}

/** An assistant did what the caller wanted, as far as that is possible without an employee. */
const SERVED: ReadonlySet<AssistantOutcome> = new Set(['resolved', 'message_taken', 'callback_requested']);

export function isServedByAssistant({ assistant }: Pick<Call, 'assistant'>): boolean {
  return !!assistant?.outcome && SERVED.has(assistant.outcome);
}

/**
 * An inbound call that ended without an answer of an employee or of whom it was forwarded to, voicemail or not, and that no
 * assistant took care of.
 */
export function isMissed(call: Call): boolean {
  return (
    call.direction === 'inbound' && call.state === 'ended' && call.answeredAt === null && !isServedByAssistant(call)
  );
}

/** Something of what was said in the call is stored, or at least a summary of it. */
export function hasTranscript({
  hasTranscription,
  isSessionStored,
}: Pick<Call, 'hasTranscription' | 'isSessionStored'>) {
  return hasTranscription || isSessionStored || false;
}

/** The caller has hung up and waits to be called back, or is being called. */
export function awaitsCallback({ callback }: Pick<Call, 'callback'>): boolean {
  return callback?.state === 'waiting' || callback?.state === 'calling';
}

export function isOnHold({ hold }: Pick<Call, 'hold'>): boolean {
  return hold?.isWanted ?? false;
}

/** The recording is paused, and the switch has confirmed it. */
export function isRecordingPaused({ recordingPause }: Pick<Call, 'recordingPause'>): boolean {
  return recordingPause ? recordingPause.isPaused && recordingPause.isMasked : false;
}

/** The remote party waits, or is being connected again. */
interface Hold {
  /** The requested state: true while the remote party is to wait. */
  readonly isWanted: boolean;
  /**
   * `parking` and `connecting`: commanded, and not reported by the switch yet. A different requested state is commanded after the
   * report.
   */
  readonly status: 'parking' | 'parked' | 'connecting';
}

/** The fields of a call that a live report shows, or that a change of its company affects. */
export const OPEN_CALL_FIELDS = [
  'phase',
  'queuedAt',
  'startedAt',
  'answeredAt',
  'number',
  'remoteNumber',
  'transfers',
  'hold',
  'callback',
  'supervision',
  'assistant',
] as const satisfies readonly (keyof Call)[];

export type OpenCall = Pick<Call, 'id' | (typeof OPEN_CALL_FIELDS)[number]>;

/**
 * The allowed transitions of a call. `answered` also ends: a phone can be hung up between the answer and the bridge, and during
 * a warm transfer.
 */
const TRANSITIONS: Readonly<Record<CallState, readonly CallState[]>> = {
  initiated: ['queued', 'playing_audio', 'transferring', 'answered', 'ended'],
  queued: ['transferring', 'answered', 'playing_audio', 'ended'],
  transferring: ['queued', 'answered', 'playing_audio', 'ended'],
  answered: ['bridged', 'ended'],
  bridged: ['answered', 'transferring', 'ended'],
  playing_audio: ['recording', 'ended'],
  recording: ['ended'],
  ended: [],
};

/** The states of a call that is in progress. */
export const OPEN_STATES = (Object.keys(TRANSITIONS) as CallState[]).filter((state) => TRANSITIONS[state].length > 0);

export function isTransitionAllowed(from: CallState, to: CallState): boolean {
  return TRANSITIONS[from].includes(to);
}
