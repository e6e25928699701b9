import { unlessNotFound } from '@parley/errors';
import type { CachedAnswers } from '@parley/events';
import { batch, sharedResult } from '@parley/queues';
import type { Channel } from '@parley/rpc';
import type { Company } from '@parley/proto/directory/v1/companies_pb';
import { CallerLookupService } from '@parley/proto/directory/v1/caller_context_pb';
import { CompanyLookupService } from '@parley/proto/directory/v1/company_lookup_pb';
import { LRUCache } from 'lru-cache';
import type { CompanyCallSettings } from '../call-usage/call-permission.ts';

/** The country of a company, by which national numbers are read. Undefined for an unknown company. */
export type CountryOf = (companyId: string) => Promise<string | undefined>;

/** Undefined for an unknown company. */
export type CompanyOf = (companyId: string) => Promise<CompanyCallSettings | undefined>;

/** A call that arrives waits for it; not as long where there is an earlier answer. */
const TIMEOUT_MS = 2000;
const RENEWAL_TIMEOUT_MS = 1000;
/** Companies whose settings are kept for when directory is unreachable. */
const KNOWN_MAX = 10_000;

/**
 * Settings from directory. An operator's change is in force for the next call, because its event drops the cached answer; without
 * a connection to the broker, calls that arrive while a request is in progress share the next one: a flood of calls is not a flood
 * of requests. While directory is unreachable, the last known settings stay in force.
 */
export function companyClient(channel: Channel, answers: Pick<CachedAnswers, 'get'>): CompanyOf {
  const service = channel.client(CompanyLookupService);
  const lastKnown = new LRUCache<string, CompanyCallSettings>({ max: KNOWN_MAX });

  async function lookUp(companyId: string): Promise<CompanyCallSettings | undefined> {
    const timeoutMs = lastKnown.has(companyId) ? RENEWAL_TIMEOUT_MS : TIMEOUT_MS;
    const found = await unlessNotFound(service.lookUpCompany({ id: companyId }, { timeoutMs }));
    const settings = found?.company && settingsOf(found.company, found.hasIntegrations);
    if (settings) lastKnown.set(companyId, settings);
    return settings;
  }

  const ask = batch(
    sharedResult((companyIds: readonly string[]) => lookUp(companyIds[0]!)),
    { max: Infinity, keyBy: (companyId) => companyId },
  );

  return async (companyId) => {
    try {
      return await answers.get(companyId, 'company', () => ask(companyId));
    } catch (error) {
      const known = lastKnown.get(companyId);
      if (!known) throw error;
      return known;
    }
  };
}

/** Directory always sends limits, destinations and integrations; a limit that is absent is none. */
function settingsOf(company: Company, hasIntegrations = true): CompanyCallSettings {
  const { country, limits, destinations } = company;
  return {
    country,
    address: addressOf(company),
    isSuspended: company.suspended,
    supervisionEnabled: company.supervisionEnabled,
    hasIntegrations,
    limits: {
      simultaneousCalls: limits?.simultaneousCalls ?? Infinity,
      callsPerMinute: limits?.callsPerMinute ?? Infinity,
      employeeSimultaneousCalls: limits?.employeeSimultaneousCalls ?? Infinity,
      employeeCallsPerMinute: limits?.employeeCallsPerMinute ?? Infinity,
    },
    destinations: {
      countries: destinations?.countries ?? [country],
      premiumRate: destinations?.premiumRate ?? false,
      satellite: destinations?.satellite ?? false,
    },
  };
}

function addressOf({ name, address, zip, city, state, country }: Company): string {
  const place = [zip, city].filter(Boolean).join(' ');
  return [name, address, place, state, country].filter(Boolean).join(', ');
}

/** Requests that directory looks up and saves the caller context. */
export function callerLookupClient(channel: Channel): (companyId: string, phone: string) => Promise<void> {
  const service = channel.client(CallerLookupService);
  return async (companyId, phone) => {
    await service.lookUpCaller({ companyId, phone, ageMaxSecs: 0 });
  };
}
