import type { Clock } from '@parley/clock';
import type { SwitchOwnership } from './switch-store.ts';

/** Lets the events of a switch through while this process owns the switch. */
export interface EventGate<Event> {
  readonly isOwner: boolean;
  /** Handles an event, or buffers it until it is known whether this process still owns the switch. */
  offer(event: Event): void;
  /** The lease was renewed: buffered events are handled. False when another process owned the switch in between. */
  renewed(ownership: SwitchOwnership): boolean;
  /** Another process owns the switch and reconciles its calls: buffered events are dropped. */
  lost(): void;
}

/** More than a busy switch reports in a minute. */
const KEPT_MAX = 20_000;

/**
 * A renewal may come late on a busy machine, or while the database is away. Events that arrive after the lease has run
 * out are neither handled, since another process may own the switch by then, nor dropped, since it may still be ours.
 */
export function eventGate<Event>(options: {
  machineClock: Clock;
  handle: (event: Event) => void;
  /** Too many events were buffered: they are dropped, and reconciliation is needed. */
  onOverflow: (last: Event) => void;
}): EventGate<Event> {
  const { machineClock, handle, onOverflow } = options;
  let ownership: SwitchOwnership | undefined;
  let kept: Event[] = [];
  const isOwner = () => ownership !== undefined && ownership.until > machineClock.now();
  return {
    get isOwner() {
      return isOwner();
    },
    offer(event) {
      // After buffered events, to keep the order.
      if (kept.length === 0 && isOwner()) return handle(event);
      if (kept.push(event) <= KEPT_MAX) return;
      kept = [];
      onOverflow(event);
    },
    renewed(renewal) {
      const isSame = ownership === undefined || ownership.term === renewal.term;
      ownership = renewal;
      const events = kept;
      kept = [];
      if (isSame) for (const event of events) handle(event);
      return isSame;
    },
    lost() {
      ownership = undefined;
      kept = [];
    },
  };
}
