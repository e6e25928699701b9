import { type Decision, refusal, Refused } from '@parley/errors';
import { type Documents, openDocuments } from '@parley/store';
import type { Db } from 'mongodb';
import { freeSlots, type Snippet } from './snippet.ts';

export interface Snippets extends Documents<Snippet> {
  /** Stores a new snippet in a free slot; the cap is exact under any concurrency. Throws `Refused`. */
  create(companyId: string, decide: (slot: number) => Decision<Snippet>): Promise<Snippet>;
}

/** As the list is read; backed by the index of the same fields. */
export const BY_POSITION = { position: 1, createdOrder: 1 } as const;

/** Never answered: another slot is tried. */
const slotTaken = refusal('conflict', 'the slot was taken in the same moment');

export async function openSnippets(db: Db, max: number): Promise<Snippets> {
  const snippets = await openDocuments<Snippet>({
    db,
    collection: 'text_snippets',
    indexes: [
      { name: 'company_position', key: { companyId: 1, position: 1, createdOrder: 1 } },
      { name: 'company_slot', key: { companyId: 1, slot: 1 }, unique: true },
    ],
    collisions: { company_slot: slotTaken },
  });

  async function slotsOf(companyId: string): Promise<number[]> {
    const slots: number[] = [];
    for await (const { slot } of snippets.of(companyId).find({}, { slot: 1 })) slots.push(slot);
    return slots;
  }

  return {
    ...snippets,
    async create(companyId, decide) {
      for (;;) {
        const full = (await snippets.of(companyId).count(max)) >= max;
        const free = full ? [] : freeSlots(await slotsOf(companyId), max);
        const slot = free[Math.floor(Math.random() * free.length)];
        if (slot === undefined)
          throw new Refused(refusal('limit_reached', `a company has at most ${max} text snippets`));
        try {
          return await snippets.of(companyId).create(decide(slot));
        } catch (error) {
          if (!(error instanceof Refused && error.refusal === slotTaken)) throw error;
        }
      }
    },
  };
}
