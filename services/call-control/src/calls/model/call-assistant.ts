import type { AssistantFlow } from './call-flow.ts';
import type { Offer } from './offer.ts';
import type { Participant } from './participant.ts';

/** What decides the next sentence of an assistant. */
export type AssistantEngine = 'embedded' | 'endpoint';

/** What became of the session of a call. */
export type AssistantOutcome = ReportedOutcome | 'transferred' | 'taken_over' | 'failed' | 'fallback';

/** The outcomes that the session reports: what the outcome is if the caller leaves now. */
export const REPORTED_OUTCOMES = ['resolved', 'message_taken', 'callback_requested', 'abandoned'] as const;

export type ReportedOutcome = (typeof REPORTED_OUTCOMES)[number];

/** Why the fallback takes the call. */
export const FALLBACK_REASONS = [
  'requested',
  'key',
  'not_understood',
  'silence',
  'emergency',
  'limit_duration',
  'limit_minutes',
  'limit_caller',
  'capacity',
  'inactive',
  'disabled',
  'speech_unavailable',
  'failed',
] as const;

export type FallbackReason = (typeof FALLBACK_REASONS)[number];

/** What became of a transfer by an assistant. */
export type TransferResult = 'connected' | 'no_answer' | 'declined' | 'unavailable' | 'failed' | 'not_allowed';

/** What a session is told about its call. */
export type SessionUpdate =
  | { readonly kind: 'connected'; readonly attempt: number }
  /** `employee`: null for a phone outside. */
  | { readonly kind: 'transfer_answered'; readonly actionId: string; readonly employee: Participant | null }
  | { readonly kind: 'transfer_ended'; readonly actionId: string; readonly result: TransferResult }
  | { readonly kind: 'takeover_requested'; readonly employee: Participant }
  | {
      readonly kind: 'ended';
      readonly outcome: AssistantOutcome;
      readonly fallbackReason: FallbackReason | null;
      readonly at: Date;
    };

/** The assistant of a call, also after it has left. */
export interface CallAssistant {
  readonly id: string;
  /** At the time. */
  readonly name: string;
  readonly engine: AssistantEngine;
  /** Null until a session was admitted. */
  readonly sessionId: string | null;
  /** When caller and assistant were connected first; null before. */
  readonly since: Date | null;
  /** The last attempt that the session knows to be connected; 0 before. */
  readonly connectedAttempt: number;
  /** Null while the assistant is in the call. */
  readonly outcome: AssistantOutcome | null;
  /** Null unless the outcome is `fallback`. */
  readonly fallbackReason: FallbackReason | null;
  /** The last report of the session; null before the first one. */
  readonly report: { readonly revision: number; readonly outcomeIfLeft: ReportedOutcome } | null;
  /** What the session has not confirmed yet to have been told, in order. */
  readonly updates: readonly { readonly sequence: number; readonly update: SessionUpdate }[];
  /** The number of updates so far. */
  readonly updatesMade: number;
  /** The assistant has told the caller that somebody calls back; absent otherwise. */
  readonly promisedCallback?: PromisedCallback;
}

interface PromisedCallback {
  /** The id of the action. */
  readonly actionId: string;
  /** E.164; null for the number that calls. */
  readonly number: string | null;
  readonly employeeIds: readonly string[];
}

/** An assistant is responsible for the caller: it talks with the caller, or rings somebody for the caller. */
export interface AssistedPhase {
  readonly kind: 'assisted';
  readonly flow: AssistantFlow;
  /** From 1; each further one continues the session after its leg was lost. */
  readonly attempt: number;
  /** Null until there is a place for it, and after it was lost. */
  readonly assistantLegId: string | null;
  /** The announcement of the recording, until the caller has heard it; null otherwise. */
  readonly playId: string | null;
  /** Of the two legs that the stage connects: `ordered` until the switch reports it. */
  readonly link: 'none' | 'ordered' | 'bridged';
  readonly stage: AssistedStage;
  /** A transfer that has ended, for the session once the assistant is connected again; absent without one. */
  readonly endedTransfer?: { readonly actionId: string; readonly result: TransferResult };
}

/** Which legs are to be connected, and what happens meanwhile. */
export type AssistedStage =
  /** Caller and assistant. */
  | { readonly kind: 'talking' }
  /** Nobody: the phones of a transfer ring, and the caller hears the wait audio. */
  | {
      readonly kind: 'transferring';
      readonly actionId: string;
      readonly offers: readonly Offer[];
      /** Of a phone outside; empty for employees. */
      readonly outsideLegIds: readonly string[];
      /** How those ended that ring no more. */
      readonly ended: readonly TransferResult[];
    }
  /** The assistant and who answered, who hears who calls. */
  | {
      readonly kind: 'whispering';
      readonly actionId: string;
      /** Null for a phone outside. */
      readonly to: Participant | null;
      readonly legId: string;
    }
  /** The caller and who takes over from the assistant, which stays until they are connected. */
  | {
      readonly kind: 'handing_over';
      /** Null for a takeover. */
      readonly actionId: string | null;
      /** Null for a phone outside. */
      readonly to: Participant | null;
      readonly legId: string;
    }
  /** Nobody: the fallback begins once the caller waits for it. */
  | { readonly kind: 'leaving' };

/** An employee wants to take the call over from the assistant, which goes on until one of the phones is answered. */
export interface Takeover {
  readonly employee: Participant;
  readonly legIds: readonly string[];
}
