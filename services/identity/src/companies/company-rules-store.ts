import { decided } from '@parley/errors';
import { openDocuments } from '@parley/store';
import type { Db } from 'mongodb';

interface StoredRules {
  /** The company's. */
  readonly id: string;
  readonly companyId: string;
  readonly name: string;
  readonly requiresTwoFactor: boolean;
}

/** The settings of companies that identity needs, projected from directory's events. */
export interface CompanyRules {
  save(company: { id: string; name: string; requiresTwoFactor: boolean }): Promise<void>;
  requiresTwoFactor(companyId: string): Promise<boolean>;
  nameOf(companyId: string): Promise<string | undefined>;
}

export async function openCompanyRules(db: Db): Promise<CompanyRules> {
  const rules = await openDocuments<StoredRules>({ db, collection: 'company_rules' });
  const find = (companyId: string) => rules.of(companyId).get(companyId);
  return {
    async save({ id, name, requiresTwoFactor }) {
      await rules.of(id).upsert(id, () => decided({ id, companyId: id, name, requiresTwoFactor }));
    },
    requiresTwoFactor: async (companyId) => (await find(companyId))?.requiresTwoFactor ?? false,
    nameOf: async (companyId) => (await find(companyId))?.name,
  };
}
