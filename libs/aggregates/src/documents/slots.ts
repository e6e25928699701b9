import { type DecisionWith, Refused, type Refusal, refusal } from '@parley/errors';
import type { DocumentFilter, NoEffects, ScopedDocuments } from './scoped-documents.ts';
import type { AnyEffects } from '../outbox/outbox.ts';
import type { Entity } from '../stored/stored-document.ts';

/** The refusal of a collision of a unique slot index. It is not returned: another slot is tried. */
export const slotTaken: Refusal = refusal('conflict', 'the slot was taken at the same time');

export interface SlotOptions<State> {
  /** The documents that share the limit. A unique index over their scope and `field` has the collision `slotTaken`. */
  among: DocumentFilter<State>;
  field: keyof State;
  max: number;
  /** The refusal when all slots are taken. */
  full: Refusal;
}

/**
 * The slots that may be assigned next: the lowest free ones, up to the limit. `taken` has an entry for every
 * document, undefined for those without a slot.
 *
 * A slot is assigned only if all documents and the free slots up to it are at most `max` together. Concurrent
 * creations fill the same slots: the limit holds even if `taken` is outdated, and also after it was
 * lowered, when some have slots beyond it.
 */
export function openSlots(taken: readonly (number | undefined)[], max: number): number[] {
  const occupied = new Set(taken);
  const open: number[] = [];
  for (let slot = 0; open.length < max - taken.length; slot++) if (!occupied.has(slot)) open.push(slot);
  return open;
}

/** Creates a document in a free numbered slot: never more than `max`, exact under any concurrency. Throws `Refused`. */
export function createInFreeSlot<State extends Entity, SomeEffects extends AnyEffects = NoEffects>(
  documents: ScopedDocuments<State, SomeEffects>,
  options: SlotOptions<State>,
  decide: (slot: number) => DecisionWith<State, SomeEffects>,
): Promise<State> {
  return inFreeSlot(documents, options, (slot) => documents.create(decide(slot)));
}

/** The same for a document that may exist; `write` puts it into the slot. */
export async function inFreeSlot<State extends Entity, SomeEffects extends AnyEffects = NoEffects>(
  documents: Pick<ScopedDocuments<State, SomeEffects>, 'valuesOf'>,
  { among, field, max, full }: SlotOptions<State>,
  write: (slot: number) => Promise<State>,
): Promise<State> {
  for (;;) {
    const open = openSlots((await documents.valuesOf(field, among)) as (number | undefined)[], max);
    // A random one, to reduce collisions of concurrent creations.
    const slot = open[Math.floor(Math.random() * open.length)];
    if (slot === undefined) throw new Refused(full);
    try {
      return await write(slot);
    } catch (error) {
      if (!(error instanceof Refused && error.refusal === slotTaken)) throw error;
    }
  }
}
