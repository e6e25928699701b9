import type { AssistantEngine, FallbackReason } from './call-assistant.ts';
import type { SupervisionMode } from './supervision.ts';

export type Audio =
  | { readonly kind: 'prompt'; readonly contentHash: string }
  | { readonly kind: 'ringtone' }
  | { readonly kind: 'music' }
  | { readonly kind: 'beep' };

/** One order to the switch that may be repeated when it is not known whether it was executed. */
export type ControlStep =
  /** Cancels the leg's scheduled hang-up and marks it as the call's. */
  | { readonly do: 'take'; readonly legId: string }
  | { readonly do: 'answer'; readonly legId: string }
  /** Plays ringing to the caller before the answer. */
  | { readonly do: 'ring'; readonly legId: string; readonly playId: string }
  /** Early media: audio before the answer. */
  | { readonly do: 'send_early_media'; readonly legId: string }
  /** Ends what plays and what is queued to play. */
  | { readonly do: 'stop_audio'; readonly legId: string }
  | { readonly do: 'play'; readonly legId: string; readonly playId: string; readonly audio: Audio }
  | { readonly do: 'bridge'; readonly legId: string; readonly peerId: string }
  | { readonly do: 'hang_up'; readonly legId: string; readonly cause: HangupCause }
  /** The same for a phone whose call is not taken; `reason` is in a header of the response. */
  | { readonly do: 'refuse'; readonly legId: string; readonly cause: HangupCause; readonly reason: string }
  | { readonly do: 'start_recording'; readonly legId: string; readonly recording: string }
  | { readonly do: 'stop_recording'; readonly legId: string; readonly recording: string }
  /** Silence is recorded while it is masked. */
  | {
      readonly do: 'mask_recording';
      readonly legId: string;
      readonly recording: string;
      readonly isMasked: boolean;
    }
  | {
      readonly do: 'record_voicemail';
      readonly legId: string;
      readonly playId: string;
      readonly recording: string;
      readonly maxSecs: number;
      readonly silenceSecs: number;
    }
  /** Ends the bridge of a leg; it and the one it was bridged with wait for us. */
  | { readonly do: 'park'; readonly legId: string }
  /** Moves a leg and the one it is bridged with to a conference. */
  | { readonly do: 'join_conference'; readonly legId: string; readonly room: string }
  /** A leg hears another one and whom that one talks to; who hears the leg is decided by the mode. */
  | {
      readonly do: 'supervise';
      readonly legId: string;
      readonly watchedLegId: string;
      readonly mode: SupervisionMode;
      readonly playId: string;
    }
  | { readonly do: 'hold'; readonly room: string; readonly memberId: string }
  | { readonly do: 'release_hold'; readonly room: string; readonly memberId: string };

export type HangupCause =
  | 'NORMAL_CLEARING'
  | 'LOSE_RACE'
  | 'NORMAL_TEMPORARY_FAILURE'
  | 'ORIGINATOR_CANCEL'
  | 'CALL_REJECTED'
  | 'USER_BUSY'
  | 'NO_ANSWER'
  | 'UNALLOCATED_NUMBER'
  /** The destination is not allowed: 403. */
  | 'OUTGOING_CALL_BARRED'
  /** The call had its maximum length. */
  | 'ALLOTTED_TIMEOUT';

/** Actions outside the call's document, stored with the state that requires them. */
export type CallCommand =
  | { readonly kind: 'control'; readonly steps: readonly ControlStep[] }
  /** Once for each file: a switch that is ordered twice writes two recordings into it, one over the other. */
  | { readonly kind: 'record'; readonly step: Extract<ControlStep, { do: 'record_voicemail' }> }
  /** Rings every phone of an employee, each by one of the legs. */
  | {
      readonly kind: 'ring';
      readonly employeeId: string;
      readonly legIds: readonly string[];
      readonly timeoutSecs: number;
      /** The conference of an answered phone; null waits for a bridge. */
      readonly room: string | null;
    }
  /** Calls the remote party, or `to` where that is another one. `asks`: whether the company may call it is asked then. */
  | {
      readonly kind: 'dial';
      readonly legId: string;
      readonly carrier: number;
      readonly timeoutSecs: number;
      readonly to?: string;
      /** The conference of an answered phone; absent or null waits for a bridge. */
      readonly room?: string | null;
      readonly asks?: true;
    }
  /** Has a session of the assistant admitted, and a place kept for its audio. */
  | { readonly kind: 'reserve_assistant'; readonly attempt: number }
  /** Calls the assistant at the place that was kept. */
  | { readonly kind: 'dial_assistant'; readonly legId: string; readonly address: string }
  /** Tells the session what it has not been told about the call. */
  | { readonly kind: 'update_assistant' }
  /** Has what was said in the session stored, once it is complete. */
  | { readonly kind: 'store_session' }
  /** Has the audio generated that asks who answers outside the company for a key. */
  | { readonly kind: 'prepare_key_prompt' }
  /** Has the audio of a prompt generated. */
  | { readonly kind: 'prepare_prompt'; readonly playId: string; readonly contentHash: string }
  /** Has the audio generated that a waiting caller is to hear. */
  | { readonly kind: 'prepare_wait_prompt'; readonly contentHash: string; readonly attempt: number }
  /** Queries which legs exist, after a command with an unknown outcome. */
  | { readonly kind: 'check_legs'; readonly legIds: readonly string[] }
  /**
   * Queries what the remote party's leg executes, once the commands before it are executed; and whether the recording, where
   * there is one, was ever begun.
   */
  | { readonly kind: 'check_audio'; readonly legId: string; readonly playId: string; readonly recording?: string }
  /** Tells the waiting calls of the business number their places, which may have changed. */
  | { readonly kind: 'update_queue_positions' }
  /** Asks whether the waiting caller may be called back later. */
  | { readonly kind: 'permit_callback' }
  /** Ends callbacks that the same caller waits for in earlier calls to the business number. */
  | { readonly kind: 'replace_callbacks' }
  /** Offers a waiting call to available employees. */
  | { readonly kind: 'dispatch_employees' }
  /** Has directory look the caller up and save what it finds. */
  | { readonly kind: 'look_up_caller' }
  /** `holdsOthers`: the employee is on hold in, or leaves, any other call. */
  | { readonly kind: 'start_conversation'; readonly employeeId: string; readonly holdsOthers?: boolean }
  | { readonly kind: 'end_conversation'; readonly employeeId: string }
  /** Claims an employee whose phones are to ring. */
  | { readonly kind: 'claim_employee'; readonly employeeId: string }
  | { readonly kind: 'release_offer'; readonly employeeId: string }
  | { readonly kind: 'upload_recording'; readonly recording: string }
  | { readonly kind: 'delete_recording_file'; readonly recording: string }
  | { readonly kind: 'save_voicemail'; readonly voicemailId: string; readonly recording: string }
  /** Deletes a voicemail that turned out to have no audio. */
  | { readonly kind: 'withdraw_voicemail'; readonly voicemailId: string };

/** `missing`: the switch does not have it; `refused`: it is not taken from the switch, which keeps it. */
export type UploadOutcome = 'uploaded' | 'missing' | 'refused';

/** The result of a command; `unknown` for one that may or may not have been executed. */
export type CommandResult =
  | { readonly kind: 'control'; readonly failures: readonly StepFailure[] }
  /** `contacts`: which phone each leg rings at. */
  | { readonly kind: 'ring'; readonly rung: readonly string[]; readonly contacts?: Readonly<Record<string, string>> }
  | { readonly kind: 'dial'; readonly refused: string | null }
  | { readonly kind: 'reserve_assistant'; readonly reservation: Reservation | { readonly refused: FallbackReason } }
  /** The number of the last update that the session has confirmed. */
  | { readonly kind: 'update_assistant'; readonly confirmed: number }
  /** `durationMs`: null when there is no audio in time. */
  | { readonly kind: 'prepare_prompt'; readonly durationMs: number | null }
  | { readonly kind: 'prepare_wait_prompt'; readonly isReady: boolean }
  /** Null when there is no audio in time. */
  | { readonly kind: 'prepare_key_prompt'; readonly contentHash: string | null }
  | { readonly kind: 'check_legs'; readonly existing: readonly string[] }
  /** `application`: null when the leg does not exist. `isBegun`: the switch has the file of the recording. */
  | { readonly kind: 'check_audio'; readonly application: string | null; readonly isBegun?: boolean }
  /** `forwardTo`: as in an offer. */
  | { readonly kind: 'claim_employee'; readonly isClaimed: boolean; readonly forwardTo?: string }
  | { readonly kind: 'permit_callback'; readonly isPermitted: boolean }
  /** Since when the caller waited in the first of them; null without one. */
  | { readonly kind: 'replace_callbacks'; readonly since: Date | null }
  | { readonly kind: 'upload_recording'; readonly outcome: UploadOutcome }
  | { readonly kind: 'done' }
  | { readonly kind: 'unknown' };

/** A session was admitted. */
export interface Reservation {
  readonly sessionId: string;
  /** Where the switch calls the assistant. */
  readonly address: string;
  readonly assistantName: string;
  readonly engine: AssistantEngine;
}

/** A step the switch refused; `noSuchLeg` when the leg does not exist. */
export interface StepFailure {
  readonly step: number;
  readonly reason: string;
  readonly noSuchLeg: boolean;
}

/** The timers of a call, by their names. */
export const CALL_TIMERS = [
  /** The prompt's end should have been reported by now. */
  'prompt_overdue',
  'menu_key',
  'no_answer',
  /** The place in the queue may be announced to the caller again. */
  'announce_place',
  /** An employee who declined may be rung again. */
  'passed_over',
  /** The caller may be called back again. */
  'callback',
  /** The employee who is rung alone has not answered: the next one is rung. */
  'ring_next',
  'voicemail_limit',
  /** The audio of the voicemail should have been fetched from the switch by now. */
  'voicemail_audio',
  'transfer_ring',
  /** A phone outside the company should have answered, or pressed the key, by now. */
  'outside_leg',
  /** The employee who is to call should have answered by now. */
  'employee_ring',
  /** The supervisor should have answered by now. */
  'supervision_ring',
  /** Caller and assistant, or who takes over from it, should have been connected by now. */
  'assistant_connect',
  /** A session has lasted longer than any may. */
  'assistant_length',
  /** Who answered a transfer by an assistant should have heard who calls by now. */
  'whisper',
  /** Who wants to take over from an assistant should have answered by now. */
  'takeover_ring',
  /** The switch should have reported the bridge by now. */
  'bridge_overdue',
  /** The phone of the employee in conversation should have returned by now. */
  'phone_return',
  /** The call has lasted as long as a call may. */
  'max_length',
] as const;

export type CallTimer = (typeof CALL_TIMERS)[number];

/** Adds a command: consecutive steps for the switch are one command with one result, and a session is told everything at once. */
export function withCommand(commands: readonly CallCommand[], added: CallCommand): readonly CallCommand[] {
  if (added.kind === 'update_assistant' && commands.some(({ kind }) => kind === added.kind)) return commands;
  const last = commands.at(-1);
  return added.kind === 'control' && last?.kind === 'control'
    ? [...commands.slice(0, -1), { kind: 'control', steps: [...last.steps, ...added.steps] }]
    : [...commands, added];
}
