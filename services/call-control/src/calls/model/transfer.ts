import type { Participant } from './participant.ts';

/** The states of the specification. */
export type TransferState = 'ringing' | 'consulting' | 'completed' | 'cancelled' | 'failed';

/** A phone outside the company, dialled by one of the carriers. */
export interface OutsideTarget {
  /** E.164. */
  readonly phoneNumber: string;
  /** The one in use, counted from 0, of `carriers`. */
  readonly carrier: number;
  readonly carriers: number;
}

/** A transfer of a call from its controller, or from an assistant, to an employee or to a phone outside. */
export interface Transfer {
  readonly id: string;
  readonly state: TransferState;
  /** The controller; null for an assistant. */
  readonly from: Participant | null;
  /** Absent for a controller. */
  readonly fromAssistant?: { readonly id: string; readonly name: string };
  /** Who calls and what about, in the caller's words, encrypted; absent for a controller. */
  readonly sealedIntroduction?: string;
  /** Null for a phone outside, and until one of the employees whom an assistant rings has answered. */
  readonly to: Participant | null;
  /** The phone outside the company that rings for a coworker without a registered phone. */
  readonly forwardTo?: string;
  /** Absent for a coworker. */
  readonly outside?: OutsideTarget;
  /** The controller has left the call at the start; absent in a warm transfer. */
  readonly isBlind?: true;
  /** The conference in which the customer is held; unused in a blind transfer. */
  readonly room: string;
  /** The target's phones; the one that answered once one has. */
  readonly targetLegIds: readonly string[];
  /** True once the switch has confirmed that the conversation was moved to the conference. */
  readonly isSetUp: boolean;
  /** The switch did not confirm the start in time: it is being undone, and is cancelled once that is confirmed. */
  readonly isAbandoned: boolean;
}

export function isOpen(transfer: Transfer): boolean {
  return transfer.state === 'ringing' || transfer.state === 'consulting';
}

export function openTransfer(transfers: readonly Transfer[]): Transfer | undefined {
  return transfers.find(isOpen);
}

/** Older ones are dropped and treated as unknown. */
const TRANSFERS_KEPT = 20;

export function withTransfer(transfers: readonly Transfer[], added: Transfer): readonly Transfer[] {
  return [...transfers, added].slice(-TRANSFERS_KEPT);
}
