import { FRAME_SAMPLES } from '../audio/frames.ts';
import { timestampsBetween } from './rtp-packet.ts';

/** 20 ms of what was received, for the recogniser or for a listener. */
export interface ReceivedFrame {
  readonly samples: Int16Array;
  /** False: nothing arrived for this time; the samples are the last ones again, softer, or silence. */
  readonly isReceived: boolean;
}

export interface JitterStatistics {
  received: number;
  /** Frames that had to be replaced. */
  lost: number;
  /** Packets that arrived when their time had passed. */
  late: number;
  duplicated: number;
  reordered: number;
}

const FRAMES_MIN = 1;
const FRAMES_MAX = 4;
const FRAMES_AT_START = 2;
/** A gap that is longer than this is a pause of the sender, not jitter. */
const PAUSE_SAMPLES = FRAMES_MAX * FRAME_SAMPLES;
/** Timestamps that are further apart belong to another stream. */
const JUMP_SAMPLES = 5 * 8000;
const PACKET_SAMPLES_MAX = 1600;
const PACKETS_MAX = 100;
/** The least that waited during this many frames (2 s) could have been delayed less. */
const WINDOW_FRAMES = 100;
/** More than the longest delay for this many frames is cut. */
const EXCESS_FRAMES = 10;
/** After this many frames without trouble (30 s) a shorter delay is tried. */
const CALM_FRAMES = 1500;
/** Frames are left out where they are not heard, if that comes within a second. */
const QUIET_PEAK = 400;
const QUIET_WAIT_FRAMES = 50;

interface Packet {
  readonly at: number;
  readonly samples: Int16Array;
}

/**
 * Puts received audio into its order and delays it by 20 to 80 ms, as little as the network allows. `take` is called every 20 ms; there
 * is no clock here: a packet that comes when its frame has been taken is late.
 */
export class JitterBuffer {
  readonly statistics: JitterStatistics = { received: 0, lost: 0, late: 0, duplicated: 0, reordered: 0 };
  #packets: Packet[] = [];
  /** Timestamps without their wrapping at 2^32. */
  #newest: { readonly raw: number; readonly at: number } | undefined;
  /** The first sample that has not been taken. */
  #next: number | undefined;
  #targetFrames = FRAMES_AT_START;
  /** False while the first packet is delayed. */
  #hasBegun = false;
  #isStarved = false;
  #insert = false;
  #window = { frames: 0, lowest: Infinity };
  #excess = { frames: 0, lowest: Infinity };
  #surplus = { frames: 0, waited: 0 };
  #calmFrames = 0;
  #last: Int16Array | undefined;

  /** The delay that is aimed at. */
  get delayMs(): number {
    return this.#targetFrames * 20;
  }

  /** How many frames wait. */
  get waitingFrames(): number {
    return Math.max(0, this.#waiting()) / FRAME_SAMPLES;
  }

  /** More waits than the delay needs, after a frame was taken. */
  get hasMoreThanDelay(): boolean {
    return this.waitingFrames > this.#targetFrames - 1;
  }

  push(timestamp: number, samples: Int16Array): void {
    if (samples.length === 0 || samples.length > PACKET_SAMPLES_MAX) return;
    let at = this.#extended(timestamp);
    if (this.#next === undefined || Math.abs(at - this.#next) > JUMP_SAMPLES) {
      this.reset();
      at = this.#extended(timestamp);
      this.#next = at - (this.#targetFrames - 1) * FRAME_SAMPLES;
    } else if (this.#isStarved && at - this.#next > PAUSE_SAMPLES) {
      this.#next = at - (this.#targetFrames - 1) * FRAME_SAMPLES;
    } else if (this.#isStarved) this.#troubled();
    this.#isStarved = false;
    if (at + samples.length <= this.#next) {
      this.statistics.late += 1;
      this.#troubled();
      this.#insert = true;
      return;
    }
    this.#add({ at, samples });
  }

  /** The next 20 ms. */
  take(): ReceivedFrame {
    if (this.#next === undefined) return silence();
    if (this.#packets.length === 0) {
      this.#isStarved = true;
      return this.#replaced();
    }
    if (this.#insert && this.#waiting() < FRAMES_MAX * FRAME_SAMPLES) {
      this.#insert = false;
      return this.#replaced();
    }
    this.#insert = false;
    this.#leaveOut();
    this.#observe(this.#waiting());
    return this.#extract();
  }

  /** A frame that could have been taken before. */
  takeEarlier(): ReceivedFrame {
    return this.#extract();
  }

  /** Another stream begins. */
  reset(): void {
    this.#packets = [];
    this.#newest = undefined;
    this.#next = undefined;
    this.#hasBegun = false;
    this.#isStarved = false;
    this.#insert = false;
    this.#last = undefined;
    this.#surplus = { frames: 0, waited: 0 };
    this.#restartWindows();
  }

  #extended(timestamp: number): number {
    const at = this.#newest ? this.#newest.at + timestampsBetween(this.#newest.raw, timestamp) : timestamp;
    if (!this.#newest || at > this.#newest.at) this.#newest = { raw: timestamp, at };
    return at;
  }

  #add(packet: Packet): void {
    let index = this.#packets.length;
    while (index > 0 && this.#packets[index - 1]!.at > packet.at) index -= 1;
    if (this.#packets[index - 1]?.at === packet.at) {
      this.statistics.duplicated += 1;
      return;
    }
    if (index < this.#packets.length) this.statistics.reordered += 1;
    this.statistics.received += 1;
    this.#packets.splice(index, 0, packet);
    if (this.#packets.length > PACKETS_MAX) this.#next = this.#packets.shift()!.at + packet.samples.length;
  }

  /** How much waits, up to the end of the newest packet. */
  #waiting(): number {
    const last = this.#packets.at(-1);
    return last ? last.at + last.samples.length - this.#next! : 0;
  }

  #troubled(): void {
    this.#targetFrames = Math.min(FRAMES_MAX, this.#targetFrames + 1);
    this.#surplus = { frames: 0, waited: 0 };
    this.#restartWindows();
  }

  #restartWindows(): void {
    this.#window = { frames: 0, lowest: Infinity };
    this.#excess = { frames: 0, lowest: Infinity };
    this.#calmFrames = 0;
  }

  /** Finds out whether less delay would have been enough. */
  #observe(waiting: number): void {
    this.#window = lowered(this.#window, waiting);
    this.#excess = lowered(this.#excess, waiting);
    if (this.#excess.frames >= EXCESS_FRAMES) {
      const frames = Math.floor((this.#excess.lowest - FRAMES_MAX * FRAME_SAMPLES) / FRAME_SAMPLES);
      if (frames > 0) this.#surplus = { frames, waited: QUIET_WAIT_FRAMES };
      this.#excess = { frames: 0, lowest: Infinity };
    }
    if (this.#window.frames >= WINDOW_FRAMES) {
      const frames = Math.floor(this.#window.lowest / FRAME_SAMPLES) - this.#targetFrames;
      if (frames > 0 && this.#surplus.frames === 0) this.#surplus = { frames: 1, waited: 0 };
      this.#window = { frames: 0, lowest: Infinity };
    }
    this.#calmFrames += 1;
    if (this.#calmFrames < CALM_FRAMES) return;
    this.#calmFrames = 0;
    this.#targetFrames = Math.max(FRAMES_MIN, this.#targetFrames - 1);
  }

  #leaveOut(): void {
    while (this.#surplus.frames > 0 && this.#waiting() > FRAME_SAMPLES) {
      const { samples } = this.#peek();
      const isQuiet = samples.every((sample) => Math.abs(sample) < QUIET_PEAK);
      if (!isQuiet && this.#surplus.waited < QUIET_WAIT_FRAMES) {
        this.#surplus.waited += 1;
        return;
      }
      this.#surplus.frames -= 1;
      this.#advance();
    }
  }

  #extract(): ReceivedFrame {
    const { samples, filled } = this.#peek();
    this.#advance();
    if (filled === 0) {
      if (this.#hasBegun) this.statistics.lost += 1;
      return this.#replaced();
    }
    this.#hasBegun = true;
    this.#last = samples;
    return { samples, isReceived: true };
  }

  /** The frame at the current position, and how many of its samples have arrived. */
  #peek(): { samples: Int16Array; filled: number } {
    const start = this.#next!;
    const samples = new Int16Array(FRAME_SAMPLES);
    let filled = 0;
    for (const packet of this.#packets) {
      const from = Math.max(start, packet.at);
      const to = Math.min(start + FRAME_SAMPLES, packet.at + packet.samples.length);
      if (to <= from) continue;
      samples.set(packet.samples.subarray(from - packet.at, to - packet.at), from - start);
      filled += to - from;
    }
    return { samples, filled };
  }

  #advance(): void {
    this.#next! += FRAME_SAMPLES;
    while (this.#packets[0] && this.#packets[0].at + this.#packets[0].samples.length <= this.#next!)
      this.#packets.shift();
  }

  /** A hole is less audible when the sound before it fades away. */
  #replaced(): ReceivedFrame {
    const samples = this.#last?.map((sample) => sample / 2) ?? new Int16Array(FRAME_SAMPLES);
    this.#last = undefined;
    return { samples, isReceived: false };
  }
}

const silence = (): ReceivedFrame => ({ samples: new Int16Array(FRAME_SAMPLES), isReceived: false });

const lowered = ({ frames, lowest }: { frames: number; lowest: number }, value: number) => ({
  frames: frames + 1,
  lowest: Math.min(lowest, value),
});
