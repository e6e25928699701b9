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
export interface CompanyRules {
  save(company: { id: string; name: string; requiresTwoFactor: boolean; suspended: boolean }): Promise<void>;
  requiresTwoFactor(companyId: string): Promise<boolean>;
  nameOf(companyId: string): Promise<string | undefined>;
  isSuspended(companyId: string): Promise<boolean>;
}

export async function openCompanyRules(db: Db): Promise<CompanyRules> {
  const rules = await openDocuments<StoredRules>({ db, collection: 'company_rules' });
  const find = (companyId: string) => rules.of(companyId).get(companyId);
  return {
    async save({ id, name, requiresTwoFactor, suspended }) {
      await rules.of(id).upsert(id, () => decided({ id, companyId: id, name, requiresTwoFactor, suspended }));
    },
    requiresTwoFactor: async (companyId) => (await find(companyId))?.requiresTwoFactor ?? false,
    nameOf: async (companyId) => (await find(companyId))?.name,
    isSuspended: async (companyId) => (await find(companyId))?.suspended ?? false,
  };
}
