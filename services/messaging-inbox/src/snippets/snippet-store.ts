import { type Decision, refusal } from '@parley/errors';
import { createInFreeSlot, type Documents, openDocuments, slotTaken } from '@parley/aggregates';
import type { Db } from 'mongodb';
import type { Snippet } from './snippet.ts';

export interface Snippets extends Documents<Snippet> {
  /** Stores a new snippet in a free slot; the cap is exact under any concurrency. Throws `Refused`. */
  create(companyId: string, decide: (slot: number) => Decision<Snippet>): Promise<Snippet>;
}

/** The order of the list; backed by the index of the same fields. */
export const BY_POSITION = { position: 1, createdOrder: 1 } as const;

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
  const full = refusal('limit_reached', `a company has at most ${max} text snippets`);
  return {
    ...snippets,
    create: (companyId, decide) =>
      createInFreeSlot(snippets.of(companyId), { among: {}, field: 'slot', max, full }, decide),
  };
}
