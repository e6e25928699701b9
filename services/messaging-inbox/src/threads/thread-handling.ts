import { type Decision, decided } from '@parley/errors';

export type ThreadState = 'open' | 'done';

/** The employee who deals with a thread; `name` as it was when the thread was assigned. */
export interface Assignee {
  readonly id: string;
  readonly name: string;
}

/** The assignee and state of the thread with an external number. A thread without one is open and assigned to nobody. */
export interface ThreadHandling {
  readonly id: string;
  readonly companyId: string;
  readonly phone: string;
  readonly assignee: Assignee | null;
  readonly state: ThreadState;
  /** While it is done: an item that is stored after this opens it again. Microseconds since 1970. */
  readonly doneThrough: number;
  /** Grows with every change. */
  readonly revision: number;
}

export interface HandlingEvent {
  readonly type: 'messaging-inbox.thread.assigned' | 'messaging-inbox.thread.state_changed';
  readonly handling: ThreadHandling;
}

/** Copies it to the threads that are listed; may be repeated. */
export interface CopyCommand {
  readonly kind: 'copy';
}

export type HandlingDecision = Decision<ThreadHandling, HandlingEvent, CopyCommand>;

/** Absent fields stay as they are. */
export interface HandlingChange {
  readonly assignee?: Assignee | null;
  readonly state?: ThreadState;
}

/** `id`: for the first change. `lastStoredAt`: of the thread as the request found it; what is stored later is not dealt with. */
export function changeHandling(
  current: ThreadHandling | undefined,
  { id, companyId, phone, lastStoredAt }: Pick<ThreadHandling, 'id' | 'companyId' | 'phone'> & { lastStoredAt: number },
  change: HandlingChange,
): HandlingDecision {
  const before: ThreadHandling = current ?? {
    id,
    companyId,
    phone,
    assignee: null,
    state: 'open',
    doneThrough: 0,
    revision: 0,
  };
  const { assignee = before.assignee, state = before.state } = change;
  const isReassigned = (assignee?.id ?? null) !== (before.assignee?.id ?? null);
  const doneThrough = change.state === 'done' ? Math.max(before.doneThrough, lastStoredAt) : before.doneThrough;
  return changed(before, { ...before, assignee: isReassigned ? assignee : before.assignee, state, doneThrough });
}

/** The employee deals with an open thread that nobody deals with. */
export function assignUnassigned(
  current: ThreadHandling | undefined,
  subject: Pick<ThreadHandling, 'id' | 'companyId' | 'phone'>,
  assignee: Assignee,
): HandlingDecision {
  if (current?.assignee) return decided(current);
  return changeHandling(current, { ...subject, lastStoredAt: 0 }, { assignee });
}

/** A thread that is done is open again once something was stored in it after that. */
export function reopenHandling(current: ThreadHandling, lastStoredAt: number): HandlingDecision {
  if (current.state === 'open' || lastStoredAt <= current.doneThrough) return decided(current);
  return changed(current, { ...current, state: 'open' });
}

function changed(before: ThreadHandling, after: ThreadHandling): HandlingDecision {
  const isReassigned = before.assignee !== after.assignee;
  const isOtherState = before.state !== after.state;
  if (!isReassigned && !isOtherState && before.doneThrough === after.doneThrough) return decided(before);
  const handling = { ...after, revision: before.revision + 1 };
  const events: HandlingEvent[] = [
    ...(isReassigned ? [{ type: 'messaging-inbox.thread.assigned' as const, handling }] : []),
    ...(isOtherState ? [{ type: 'messaging-inbox.thread.state_changed' as const, handling }] : []),
  ];
  return decided<ThreadHandling, HandlingEvent, CopyCommand>(handling, events, { commands: [{ kind: 'copy' }] });
}
