import type { Clock } from '@parley/clock';
import { notFound, Refused } from '@parley/errors';
import { type Aggregates, openAggregates, type Relay } from '@parley/outbox';
import type { Db } from 'mongodb';
import type { Company, CompanyEvent } from './company.ts';
import { encodeCompanyEvent } from './company-proto.ts';

export interface Companies extends Aggregates<Company, CompanyEvent> {
  /** By whose numbering plan a company's national numbers are read. Asked with nearly every request, so it is remembered for a moment. */
  countryOf(companyId: string): Promise<string>;
  /** The company has just changed: its country is read anew. */
  forgetCountry(companyId: string): void;
}

const REMEMBERED_MS = 1000;
const REMEMBERED_MAX = 10_000;

export async function openCompanies(db: Db, relay: Relay, clock: Clock): Promise<Companies> {
  const companies = await openAggregates<Company, CompanyEvent>({
    db,
    collection: 'companies',
    relay,
    clock,
    encode: encodeCompanyEvent,
  });
  const remembered = new Map<string, { country: string; until: number }>();
  return {
    ...companies,
    async countryOf(companyId) {
      const known = remembered.get(companyId);
      if (known && known.until > performance.now()) return known.country;
      const company = await companies.of(companyId).get(companyId);
      if (!company) throw new Refused(notFound);
      if (remembered.size >= REMEMBERED_MAX) remembered.clear();
      remembered.set(companyId, { country: company.country, until: performance.now() + REMEMBERED_MS });
      return company.country;
    },
    forgetCountry: (companyId) => void remembered.delete(companyId),
  };
}
