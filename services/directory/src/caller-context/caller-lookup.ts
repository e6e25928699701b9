import type { Clock } from '@parley/clock';
import { cache } from '@parley/queues';
import type { Contact } from '../contacts/contact.ts';
import type { ContactDeps } from '../contacts/contact-rpcs.ts';
import type { Integrations } from '../integrations/integration-store.ts';
import { type PhoneNumber, readPhoneNumber } from '@parley/phone-numbers';
import type { CallerContext } from './caller-context.ts';
import { contactOfCaller, mergeIdentities } from './identity.ts';
import { lookUp, type LookUpDeps } from './lookup-client.ts';
import type { Caller } from './provider.ts';
import type { SavedContexts } from './saved-context-store.ts';

export interface CallerLookupDeps extends LookUpDeps {
  readonly contacts: ContactDeps;
  readonly integrations: Integrations;
  readonly savedContexts: SavedContexts;
  readonly clock: Clock;
}

export interface CallerLookupResult {
  readonly context: CallerContext;
  readonly contact: Contact | undefined;
  readonly ageSecs: number;
}

export type CallerLookup = ReturnType<typeof callerLookup>;

const IN_PROGRESS_MAX = 10_000;
const NOTHING: CallerContext = { contexts: [], enrichedAt: null };

export function callerLookup(deps: CallerLookupDeps) {
  const { contacts, integrations, savedContexts, clock } = deps;
  const inProgress = cache<CallerLookupResult>({ ageMaxMs: 0, max: IN_PROGRESS_MAX });

  async function lookUpOnce(companyId: string, number: PhoneNumber, country: string): Promise<CallerLookupResult> {
    const connected = await integrations.connected(companyId);
    if (connected.length === 0) {
      return {
        context: NOTHING,
        contact: await contacts.contacts.of(companyId).findOne({ phone: number.number }),
        ageSecs: 0,
      };
    }
    const found = await lookUp(deps, connected, callerOf(number, country));
    const enrichedAt = clock.now();
    await savedContexts.save(companyId, number.number, found, enrichedAt);
    const contact = await contactOfCaller(contacts, companyId, number.number, mergeIdentities(found.contexts));
    return { context: { contexts: found.contexts, enrichedAt }, contact, ageSecs: 0 };
  }

  async function saved(companyId: string, phone: string, ageMaxSecs: number): Promise<CallerLookupResult | undefined> {
    if (ageMaxSecs <= 0) return undefined;
    const known = await savedContexts.get(companyId, phone);
    const ageSecs = known ? Math.floor((clock.now().getTime() - known.enrichedAt.getTime()) / 1000) : Infinity;
    // An answer from the future was given before the clock went back.
    if (!known || ageSecs < 0 || ageSecs > ageMaxSecs) return undefined;
    return { context: known, contact: await contacts.contacts.of(companyId).findOne({ phone }), ageSecs };
  }

  return {
    /** `phone` in any format; `ageMaxSecs`: how old an earlier answer may be to be given again. */
    async of(companyId: string, phone: string, ageMaxSecs: number): Promise<CallerLookupResult> {
      const country = await contacts.companies.countryOf(companyId);
      const number = readPhoneNumber(phone, country);
      if (!number) return { context: NOTHING, contact: undefined, ageSecs: 0 };
      const known = await saved(companyId, number.number, ageMaxSecs);
      if (known) return known;
      // A call that rings at ten desks is looked up once.
      return inProgress.get(`${companyId} ${number.number}`, () => lookUpOnce(companyId, number, country));
    },
  };
}

function callerOf(number: PhoneNumber, country: string): Caller {
  return {
    phone: number.number,
    international: number.formatted,
    national: number.national,
    isSame: (written) => typeof written === 'string' && readPhoneNumber(written, country)?.number === number.number,
  };
}
