import { decided } from '@parley/errors';
import { openDocuments } from '@parley/aggregates';
import type { Db } from 'mongodb';

interface StoredRules {
  /** The company's. */
  readonly id: string;
  readonly companyId: string;
  readonly name: string;
  readonly requiresTwoFactor: boolean;
  readonly suspended: boolean;
}

/** The settings of companies that identity needs, projected from directory's events. */
export type CompanyRules = Awaited<ReturnType<typeof openCompanyRules>>;

export async function openCompanyRules(db: Db) {
  const rules = await openDocuments<StoredRules>({ db, collection: 'company_rules' });
  const find = (companyId: string) => rules.of(companyId).get(companyId);
  return {
    async save({
      id,
      name,
      requiresTwoFactor,
      suspended,
    }: {
      id: string;
      name: string;
      requiresTwoFactor: boolean;
      suspended: boolean;
    }): Promise<void> {
      await rules.of(id).upsert(id, () => decided({ id, companyId: id, name, requiresTwoFactor, suspended }));
    },
    requiresTwoFactor: async (companyId: string) => (await find(companyId))?.requiresTwoFactor ?? false,
    nameOf: async (companyId: string) => (await find(companyId))?.name,
    isSuspended: async (companyId: string) => (await find(companyId))?.suspended ?? false,
  };
}
