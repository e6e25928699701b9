import type { Clock } from '@parley/clock';

/** Holds the timers of a switch's calls back while it is unknown what has happened on the switch. */
export type TimerGate = ReturnType<typeof timerGate>;

/** A switch that cannot be reached for this long, and with which a connection was tried, does not delay timers any longer. */
const AWAY_MS = 5000;

/**
 * A timer that came due while events were missed must not win against an answer that was given in time. So timers fire in
 * the process that owns the switch, once it has reconciled the calls; and while the switch is away.
 */
export function timerGate(options: { machineClock: Clock; isOwner: () => boolean }) {
  const { machineClock, isOwner } = options;
  let state: 'disconnected' | 'reconciling' | 'reconciled' = 'disconnected';
  let missedSince = machineClock.now();
  /** Time alone says nothing: the process, or the whole machine, may have stood still. */
  let hasTried = false;
  const isAway = () =>
    state === 'disconnected' && hasTried && machineClock.now().getTime() - missedSince.getTime() > AWAY_MS;
  return {
    get isOpen() {
      return isOwner() && (state === 'reconciled' || isAway());
    },
    /** This process has begun to own the switch: the events of before are unknown to it. */
    taken(): void {
      state = 'disconnected';
      missedSince = machineClock.now();
      hasTried = false;
    },
    /** Connected: what was missed is being found. */
    connected(): void {
      state = 'reconciling';
    },
    /** The calls are known to be as the switch has them, and stay so while events are read. */
    reconciled(): void {
      if (state === 'reconciling') state = 'reconciled';
    },
    /** The connection has ended: from now on events are missed. */
    disconnected(): void {
      if (state === 'reconciled') missedSince = machineClock.now();
      hasTried = state === 'reconciling';
      state = 'disconnected';
    },
    /** An attempt to connect has failed. */
    notConnected(): void {
      hasTried = true;
    },
  };
}
