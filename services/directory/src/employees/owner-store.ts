import { openDocuments, type PlainDocuments } from '@parley/aggregates';
import type { Db } from 'mongodb';
import type { CompanyOwners } from './company-owners.ts';

export type OwnerLists = PlainDocuments<CompanyOwners>;

export function openOwnerLists(db: Db): Promise<OwnerLists> {
  return openDocuments<CompanyOwners>({ db, collection: 'company_owners' });
}
