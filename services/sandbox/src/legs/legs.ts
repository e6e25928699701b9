import type { Leg, PhoneOwner } from './leg.ts';

/** Ended legs stay readable, up to this many. */
const LEGS_MAX = 20_000;
/** The audio of all legs: four and a half hours of speech at a phone. That of the oldest legs goes first, of those that have ended. */
const AUDIO_MAX_BYTES = 128 * 1024 * 1024;

/** Every phone's side of every call, those that have ended included. */
export class Legs {
  readonly #byId = new Map<string, Leg>();
  /** The bytes of audio of each leg that has any, oldest first. */
  readonly #audioBytes = new Map<Leg, number>();
  readonly #audioMaxBytes: number;
  #audioBytesInAll = 0;

  constructor(audioMaxBytes = AUDIO_MAX_BYTES) {
    this.#audioMaxBytes = audioMaxBytes;
  }

  add(leg: Leg): void {
    this.#byId.set(leg.id, leg);
    leg.audio.onGrowth = (bytes) => this.#countAudio(leg, bytes);
    if (this.#byId.size <= LEGS_MAX) return;
    for (const [id, { ended }] of this.#byId) {
      if (!ended) continue;
      this.#forgetAudio(this.#byId.get(id)!);
      this.#byId.delete(id);
      return;
    }
  }

  #countAudio(leg: Leg, bytes: number): void {
    this.#audioBytes.set(leg, (this.#audioBytes.get(leg) ?? 0) + bytes);
    this.#audioBytesInAll += bytes;
    while (this.#audioBytesInAll > this.#audioMaxBytes) {
      const legs = [...this.#audioBytes.keys()];
      this.#forgetAudio(legs.find(({ ended }) => ended) ?? legs[0]!);
    }
  }

  #forgetAudio(leg: Leg): void {
    this.#audioBytesInAll -= this.#audioBytes.get(leg) ?? 0;
    this.#audioBytes.delete(leg);
    leg.audio.forget();
  }

  get(id: string): Leg | undefined {
    return this.#byId.get(id);
  }

  /** Those that have not ended, oldest first. */
  live(): readonly Leg[] {
    return [...this.#byId.values()].filter((leg) => !leg.ended);
  }

  /** Those at one phone that have not ended. */
  at(owner: PhoneOwner): readonly Leg[] {
    return this.live().filter((leg) => sameOwner(leg.owner, owner));
  }
}

function sameOwner(one: PhoneOwner, other: PhoneOwner): boolean {
  if (one.kind === 'employee') return other.kind === 'employee' && one.employeeId === other.employeeId;
  if (one.kind === 'sip_address') return other.kind === 'sip_address' && one.uri === other.uri;
  return other.kind === 'external' && one.number === other.number;
}
