import { randomUUID } from 'node:crypto';
import type { MovableClock } from '@parley/clock';
import { encodeEvent, type EventFormat } from '@parley/event-socket';
import { Timeline } from './timeline.ts';

/** An event as it leaves the switch; encoded once for each format, for all connections. */
export class SwitchEvent {
  readonly name: string;
  /** Present only in CUSTOM events. */
  readonly subclass: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  readonly #encoded = new Map<EventFormat, Buffer>();

  constructor(headers: Readonly<Record<string, string>>, body?: string) {
    this.name = headers['Event-Name'] ?? '';
    this.subclass = headers['Event-Subclass'];
    this.headers = headers;
    this.body = body;
  }

  encoded(format: EventFormat): Buffer {
    const known = this.#encoded.get(format);
    if (known) return known;
    const frame = encodeEvent(this.headers, this.body, format);
    this.#encoded.set(format, frame);
    return frame;
  }
}

export interface SwitchCoreOptions {
  clock: MovableClock;
  /** The factor by which audio is faster than in reality. */
  mediaSpeed: number;
  /** 0 to 1; decides what comes in any order on a real switch. */
  random?: () => number;
  /** The interval at which the switch checks a channel: 20 ms in reality. */
  tickMs?: number;
}

const TICK_MS = 3;

/** One run of the switch process: its identity, its events, its timers. */
export class SwitchCore {
  readonly uuid = randomUUID();
  readonly startedAt: number;
  readonly clock: MovableClock;
  /** Ringing times, scheduled hang-ups: as the clock runs. */
  readonly time: Timeline;
  /** Prompts and speech: faster than the clock. */
  readonly mediaTime: Timeline;
  #busy = 0;
  readonly #listeners = new Set<(event: SwitchEvent) => void>();
  readonly #random: () => number;
  readonly #tickMs: number;
  #sequence = 0;
  #progress = 0;
  readonly #lifetime = new AbortController();

  constructor({ clock, mediaSpeed, random = Math.random, tickMs = TICK_MS }: SwitchCoreOptions) {
    this.#tickMs = tickMs;
    this.clock = clock;
    this.startedAt = clock.now().getTime();
    this.time = new Timeline(clock);
    this.mediaTime = new Timeline(clock, mediaSpeed);
    this.#random = random;
  }

  /** True or false by chance, where a real switch shows both orders. */
  eitherWay(): boolean {
    return this.#random() < 0.5;
  }

  subscribe(listener: (event: SwitchEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  publish(name: string, headers: Readonly<Record<string, string>>, body?: string): void {
    if (!this.alive) return;
    if (name !== 'HEARTBEAT') this.#progress += 1;
    const event = new SwitchEvent({ 'Event-Name': name, ...this.#eventHeaders(), ...headers }, body);
    for (const listener of this.#listeners) listener(event);
  }

  publishCustom(subclass: string, headers: Readonly<Record<string, string>>): void {
    this.publish('CUSTOM', { 'Event-Subclass': subclass, ...headers });
  }

  /** Microseconds, as FreeSWITCH counts. */
  nowMicros(): number {
    return this.clock.now().getTime() * 1000;
  }

  /** Runs at the switch's next look at its channels; nothing of a dead switch runs. */
  soon(work: () => void): void {
    this.#busy += 1;
    setTimeout(() => {
      this.#busy -= 1;
      this.#progress += 1;
      if (this.alive) work();
    }, this.#tickMs);
  }

  /** Counts work that a move of the clock has to wait for. */
  async during<T>(work: () => Promise<T>): Promise<T> {
    this.#busy += 1;
    try {
      return await work();
    } finally {
      this.#busy -= 1;
      this.#progress += 1;
    }
  }

  /** Counts background work that cannot fail. */
  detach(work: Promise<unknown>): void {
    this.during(() => work).catch(() => undefined);
  }

  /** The amount of work in progress, and a counter of all changes. */
  report(): { busy: number; finished: number } {
    return { busy: this.#busy, finished: this.#progress };
  }

  get alive(): boolean {
    return !this.#lifetime.signal.aborted;
  }

  /** Runs when the simulated process ends. */
  onDeath(run: () => void): void {
    this.#lifetime.signal.addEventListener('abort', run, { once: true });
  }

  /** The simulated process has ended: nothing is published any more. */
  die(): void {
    this.#lifetime.abort();
    this.time.clear();
    this.mediaTime.clear();
    this.#listeners.clear();
  }

  #eventHeaders(): Record<string, string> {
    const now = this.clock.now();
    const iso = now.toISOString();
    return {
      'Core-UUID': this.uuid,
      'FreeSWITCH-Hostname': 'sandbox',
      'FreeSWITCH-Switchname': 'sandbox',
      'FreeSWITCH-IPv4': '127.0.0.1',
      'FreeSWITCH-IPv6': '::1',
      'Event-Date-Local': `${iso.slice(0, 10)} ${iso.slice(11, 19)}`,
      'Event-Date-GMT': now.toUTCString(),
      'Event-Date-Timestamp': String(now.getTime() * 1000),
      'Event-Sequence': String((this.#sequence += 1)),
    };
  }
}
