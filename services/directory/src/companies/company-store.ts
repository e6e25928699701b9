import type { Clock } from '@parley/clock';
import { notFound, Refused } from '@parley/errors';
import { openAggregates, type Relay } from '@parley/aggregates';
import { cache } from '@parley/queues';
import type { Db } from 'mongodb';
import type { Company, CompanyEvent } from './company.ts';
import { encodeCompanyEvent } from './company-proto.ts';
import { type ListPosition, newest, searchNewest } from '../newest-first/newest-first.ts';

export type Companies = Awaited<ReturnType<typeof openCompanies>>;

const CACHED_MS = 1000;
const CACHED_MAX = 10_000;

const indexes = { newest: 'newest', search: 'search' };

/** The newest companies after a position, all of them or those whose names have every one of these words. Only the operator sees several. */
export function newestCompanies(
  { acrossCompanies }: Pick<Companies, 'acrossCompanies'>,
  words: readonly string[],
  limit: number,
  after?: ListPosition,
): Promise<Company[]> {
  return words.length > 0
    ? searchNewest(acrossCompanies, indexes, words, limit, after)
    : newest(acrossCompanies, indexes, limit, after);
}

export async function openCompanies(db: Db, relay: Relay, clock: Clock) {
  const companies = await openAggregates<Company, CompanyEvent>({
    db,
    collection: 'companies',
    relay,
    clock,
    encode: encodeCompanyEvent,
    announced: true,
    indexes: [
      { name: 'newest', key: { createdOrder: -1 } },
      { name: 'search', key: { searchTerms: 1, createdOrder: -1, _deleted: 1 } },
    ],
  });
  const countries = cache<string>({ ageMaxMs: CACHED_MS, max: CACHED_MAX });
  return {
    ...companies,
    /** The country whose numbering plan national numbers are read with. Needed by nearly every request, so it is cached for a second. */
    countryOf: (companyId: string) =>
      countries.get(companyId, async () => {
        const company = await companies.of(companyId).get(companyId);
        if (!company) throw new Refused(notFound);
        return company.country;
      }),
    /** Drops the cached country after a change of the company. */
    forgetCountry: countries.delete,
  };
}
