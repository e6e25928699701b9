import type { Participant } from './participant.ts';

/** The states of the specification. */
export type TransferState = 'ringing' | 'consulting' | 'completed' | 'cancelled' | 'failed';

/** A warm transfer of a call from its controller to a coworker. */
export interface Transfer {
  readonly id: string;
  readonly state: TransferState;
  /** The controller. */
  readonly from: Participant;
  readonly to: Participant;
  /** The conference in which the customer is held. */
  readonly room: string;
  /** The target's phones; the one that answered once one has. */
  readonly targetLegIds: readonly string[];
  /** Whether the switch has confirmed that the conversation was moved to the conference. */
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
