import type { LegEvent, LegSnapshot } from './leg-event.ts';
import type { CallCommand, CallTimer, CommandResult } from './call-command.ts';
import type { SwitchReference } from './call.ts';
import type { AssistantEngine, FallbackReason, ReportedOutcome } from './call-assistant.ts';
import type { Participant } from './participant.ts';
import type { SupervisionMode } from './supervision.ts';
import type { OutsideTarget } from './transfer.ts';

/** Every input of a call. */
export type CallInput =
  | LegEvent
  | { readonly type: 'timer'; readonly name: CallTimer }
  | { readonly type: 'settled'; readonly command: CallCommand; readonly result: CommandResult }
  /** An available employee, claimed for this call. `forwardTo`: the phone outside the company that is rung instead of the employee's own. */
  | { readonly type: 'offer'; readonly employee: Participant; readonly forwardTo?: string }
  /** The place of the waiting call in its queue, from 1. */
  | { readonly type: 'place_found'; readonly place: number }
  /** The employee must not be rung any more: do-not-disturb, left the company, lost the claim. */
  | { readonly type: 'withdraw_offer'; readonly employeeId: string }
  /** The employee was deleted. */
  | { readonly type: 'employee_removed'; readonly employeeId: string }
  /** The operator has suspended the company. */
  | { readonly type: 'company_suspended' }
  | { readonly type: 'phone_lost'; readonly legIds: readonly string[] }
  /** The phone of the employee in conversation has called the call again: its page was reloaded, or had no connection. */
  | { readonly type: 'phone_returned'; readonly legId: string; readonly employeeId: string }
  /** The switch's state of this call after a gap in its events. */
  | {
      readonly type: 'reconciled';
      readonly legs: readonly LegSnapshot[];
      /** Legs that the switch does not have. Those in neither list were not asked about. */
      readonly gone: readonly string[];
    }
  /** The caller has been served by, or asked for a callback in, another call. */
  | { readonly type: 'callback_replaced' }
  /** The switch lost all its calls. `next`: where those continue that need no leg. */
  | { readonly type: 'switch_restarted'; readonly next?: SwitchReference }
  /** The switch takes no new calls. `next`: where a call continues that has no leg. */
  | { readonly type: 'switch_drained'; readonly next: SwitchReference }
  /** The switch has been unreachable for too long. */
  | { readonly type: 'switch_lost'; readonly next?: SwitchReference }
  | {
      readonly type: 'recording_stored';
      readonly recording: string;
      readonly sizeBytes: number;
      readonly contentHash: string;
      /** Null when it cannot be read. */
      readonly durationMs: number | null;
    }
  /** The upload of the switch is no valid recording, now or later. */
  | { readonly type: 'recording_refused'; readonly recording: string; readonly status: number }
  /** An employee deleted the voicemail. */
  | { readonly type: 'voicemail_deleted'; readonly recording: string }
  /** `recording`: of the conversation. */
  | { readonly type: 'transcribed'; readonly recording: string }
  /** What became of the session of an assistant is stored. `isKept`: so is what was said in it. */
  | { readonly type: 'session_stored'; readonly isKept: boolean }
  | {
      readonly type: 'start_transfer';
      readonly transferId: string;
      readonly actorId: string;
      readonly target: Participant | OutsideTarget;
      /** The same as in an offer. */
      readonly forwardTo?: string;
      /** The controller leaves at once; absent in a warm transfer. */
      readonly isBlind?: boolean;
      /** Whom a customer waits for whom nobody takes, of a call that never waited. */
      readonly queue?: readonly string[];
    }
  | { readonly type: 'complete_transfer'; readonly transferId: string; readonly actorId: string }
  | { readonly type: 'cancel_transfer'; readonly transferId: string; readonly actorId: string }
  | { readonly type: 'hold'; readonly actorId: string; readonly on: boolean }
  /** The employee talks in another call now. */
  | { readonly type: 'hold_for_other_call'; readonly actorId: string }
  | { readonly type: 'supervise'; readonly supervisor: Participant; readonly mode: SupervisionMode }
  | { readonly type: 'end_supervision'; readonly actorId: string }
  | { readonly type: 'pause_recording'; readonly actorId: string; readonly paused: boolean }
  /** An assistant rings employees, who have been claimed, or a phone outside. */
  | {
      readonly type: 'start_assistant_transfer';
      readonly actionId: string;
      readonly targets:
        | readonly { readonly employee: Participant; readonly forwardTo?: string }[]
        | { readonly phoneNumber: string };
      /** The name of the employee or of the target. */
      readonly targetName: string;
      readonly sealedIntroduction: string;
    }
  /** Nobody of whom an assistant wanted to ring is available. */
  | { readonly type: 'assistant_transfer_unavailable'; readonly targetName: string }
  /** Who answered has heard who calls. */
  | { readonly type: 'finish_whisper'; readonly actionId: string }
  | { readonly type: 'run_fallback'; readonly reason: FallbackReason }
  /** The assistant has said goodbye. */
  | { readonly type: 'end_assisted_call' }
  /** `number`: null for the number that calls. */
  | {
      readonly type: 'promise_callback';
      readonly actionId: string;
      readonly number: string | null;
      readonly employeeIds: readonly string[];
    }
  | {
      readonly type: 'session_reported';
      readonly revision: number;
      readonly engine: AssistantEngine;
      readonly outcomeIfLeft: ReportedOutcome;
    }
  /** An employee, who has been claimed, wants to take over from the assistant. `forwardTo`: as in an offer. */
  | { readonly type: 'start_takeover'; readonly employee: Participant; readonly forwardTo?: string }
  | { readonly type: 'cancel_takeover'; readonly actorId: string }
  /** The switch did not confirm the start of the transfer in time. */
  | { readonly type: 'abandon_transfer'; readonly transferId: string };

/** The cause of an entry in the timeline. */
export function causeOf(input: CallInput): string {
  switch (input.type) {
    case 'timer':
      return `timer ${input.name}`;
    case 'settled':
      return `${input.result.kind === 'unknown' ? 'unknown outcome' : 'outcome'} of ${input.command.kind}`;
    case 'leg_ended':
    case 'originate_failed':
      return `${input.type} ${input.cause}`;
    case 'hold_for_other_call':
      // The name in timelines since the first release.
      return 'make_way';
    default:
      return input.type;
  }
}
