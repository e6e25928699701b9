import type { Leg, PhoneOwner } from './leg.ts';

/** Ended legs stay readable, up to this many. */
const LEGS_MAX = 20_000;

/** Every phone's side of every call, those that have ended included. */
export class Legs {
  readonly #byId = new Map<string, Leg>();

  add(leg: Leg): void {
    this.#byId.set(leg.id, leg);
    if (this.#byId.size <= LEGS_MAX) return;
    for (const [id, { ended }] of this.#byId) {
      if (!ended) continue;
      this.#byId.delete(id);
      return;
    }
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
  return other.kind === 'external' && one.number === other.number;
}
