import { FRAME_MS } from './frames.ts';

/** Frames that are later than this are left out, if nothing else is wanted. */
const LATE_MAX_MS = 100;
/** While it is behind, frames are sent at twice the rate: all at once would overflow the jitter buffer of the other side. */
const GAP_MIN_MS = FRAME_MS / 2;

/** When frames are sent: every 20 ms of a monotonic clock, whatever the delays of single timers are. */
export class FrameSchedule {
  readonly #lateMaxMs: number;
  #dueAt: number;

  constructor(startMs: number, lateMaxMs = LATE_MAX_MS) {
    this.#lateMaxMs = lateMaxMs;
    this.#dueAt = startMs;
  }

  /** Called when a frame is sent: how many before it are left out, and how late it is. */
  send(now: number): { skipped: number; lateMs: number } {
    const behindMs = now - this.#dueAt;
    const skipped = behindMs > this.#lateMaxMs ? Math.floor(behindMs / FRAME_MS) : 0;
    this.#dueAt += (skipped + 1) * FRAME_MS;
    return { skipped, lateMs: Math.max(0, behindMs - skipped * FRAME_MS) };
  }

  /** The time until the next frame. */
  waitMs(now: number): number {
    return Math.max(GAP_MIN_MS, this.#dueAt - now);
  }
}

/** Calls `frame` for every 20 ms, with the number of those that were left out before it because they were too late, and how late it is. */
export function paceFrames(frame: (skipped: number, lateMs: number) => void, lateMaxMs?: number): { stop(): void } {
  const schedule = new FrameSchedule(performance.now(), lateMaxMs);
  let timer = setTimeout(send, 0);
  let isStopped = false;
  function send(): void {
    const { skipped, lateMs } = schedule.send(performance.now());
    frame(skipped, lateMs);
    if (!isStopped) timer = setTimeout(send, schedule.waitMs(performance.now()));
  }
  return {
    stop() {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}
