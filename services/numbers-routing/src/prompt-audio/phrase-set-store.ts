import { openDocuments } from '@parley/aggregates';
import { decided } from '@parley/errors';
import type { Db } from 'mongodb';

/** The audio that an owner of phrases needs. */
interface PhraseSet {
  /** Company and owner. */
  readonly id: string;
  readonly companyId: string;
  readonly promptKeys: readonly string[];
}

/** Which audio is needed besides that of the numbers' prompts. */
export type PhraseSets = Awaited<ReturnType<typeof openPhraseSets>>;

export async function openPhraseSets(db: Db) {
  const sets = await openDocuments<PhraseSet>({
    db,
    collection: 'phrase_sets',
    indexes: [{ key: { promptKeys: 1 }, name: 'prompts' }],
  });
  return {
    /** Replaces what the owner needs; nothing removes the owner. */
    async replace(companyId: string, owner: string, promptKeys: readonly string[]): Promise<void> {
      const id = `${companyId} ${owner}`;
      if (promptKeys.length === 0) await sets.of(companyId).changeIfExists(id, () => decided(null));
      else await sets.of(companyId).upsert(id, () => decided({ id, companyId, promptKeys }));
    },
    /** Searches all companies, because equal phrases share their audio. */
    anyUses: async (promptKey: string) => (await sets.acrossCompanies.findOne({ promptKeys: promptKey })) !== undefined,
  };
}
