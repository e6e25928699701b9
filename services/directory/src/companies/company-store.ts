import type { Clock } from '@parley/clock';
import { notFound, Refused } from '@parley/errors';
import { type Aggregates, openAggregates, type Relay } from '@parley/outbox';
import type { Db } from 'mongodb';
import type { Company, CompanyEvent } from './company.ts';
import { encodeCompanyEvent } from './company-proto.ts';

export interface Companies extends Aggregates<Company, CompanyEvent> {
  /** The country whose numbering plan national numbers are read with. Needed by nearly every request, so it is cached for a second. */
  countryOf(companyId: string): Promise<string>;
  /** Drops the cached country after a change of the company. */
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
