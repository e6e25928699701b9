import { whileUnreachable } from '@parley/store';
import type { Db } from 'mongodb';

interface StoredRules {
  _id: string;
  name: string;
  requiresTwoFactor: boolean;
}

/** What identity must know of companies, kept from directory's events. */
export interface CompanyRules {
  save(company: { id: string; name: string; requiresTwoFactor: boolean }): Promise<void>;
  requiresTwoFactor(companyId: string): Promise<boolean>;
  nameOf(companyId: string): Promise<string | undefined>;
}

export function openCompanyRules(db: Db): CompanyRules {
  const collection = db.collection<StoredRules>('company_rules');
  const find = (companyId: string) => whileUnreachable(() => collection.findOne({ _id: companyId }));
  return {
    async save({ id, name, requiresTwoFactor }) {
      await whileUnreachable(() =>
        collection.updateOne({ _id: id }, { $set: { name, requiresTwoFactor } }, { upsert: true }),
      );
    },
    requiresTwoFactor: async (companyId) => (await find(companyId))?.requiresTwoFactor ?? false,
    nameOf: async (companyId) => (await find(companyId))?.name,
  };
}
