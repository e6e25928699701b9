import type { Role } from '@parley/actor';

/** Directory's record of an employee. Call-control keeps a copy for events and for the names in calls. */
export interface EmployeeRecord {
  readonly name: string;
  readonly email: string;
  /** E.164. */
  readonly phone: string | null;
  /** A phone (E.164) that also rings while no phone is registered. */
  readonly forwardTo?: string;
  readonly invitationPending: boolean;
  /** Absent where directory has sent none. */
  readonly role?: Role;
  readonly emailConfirmationPending: boolean;
  /** A second call is offered during a conversation. */
  readonly callWaiting: boolean;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  /** Increases with every change, to compare two copies. */
  readonly revision: number;
}

/** The newer of two copies. An invitation that has ended stays ended, also when an older copy arrives late. */
export function newerRecord(known: EmployeeRecord, heard: EmployeeRecord): EmployeeRecord {
  const newer = heard.revision > known.revision ? heard : known;
  const invitationPending = known.invitationPending && heard.invitationPending;
  return newer.invitationPending === invitationPending ? newer : { ...newer, invitationPending };
}
