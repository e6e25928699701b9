import { notFound, Refused } from '@parley/errors';
import { CallerLookupService } from '@parley/proto/directory/v1/caller_context_pb';
import { CompanyLookupService } from '@parley/proto/directory/v1/company_lookup_pb';
import type { Channel } from '@parley/rpc';

/** The country of a company, by which national numbers are read. Undefined for an unknown company. */
export type CountryOf = (companyId: string) => Promise<string | undefined>;

/** A call that arrives waits for it. */
const TIMEOUT_MS = 2000;

export function countryClient(channel: Channel): CountryOf {
  const service = channel.client(CompanyLookupService);
  return async (companyId) => {
    try {
      return (await service.lookUpCompany({ id: companyId }, { timeoutMs: TIMEOUT_MS })).company?.country;
    } catch (error) {
      if (error instanceof Refused && error.refusal.code === notFound.code) return undefined;
      throw error;
    }
  };
}

/** Requests that directory looks up and saves the caller context. */
export function callerLookupClient(channel: Channel): (companyId: string, phone: string) => Promise<void> {
  const service = channel.client(CallerLookupService);
  return async (companyId, phone) => {
    await service.lookUpCaller({ companyId, phone, ageMaxSecs: 0 });
  };
}
