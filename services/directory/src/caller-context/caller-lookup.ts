import type { Clock } from '@parley/clock';
import { cache } from '@parley/queues';
import { type PhoneNumber, readPhoneNumber } from '@parley/phone-numbers';
import { Refused } from '@parley/errors';
import { newId } from '@parley/secrets';
import { type Contact, type ContactChange, createContact, updateContact } from '../contacts/contact.ts';
import type { ContactDeps } from '../contacts/contact-rpcs.ts';
import type { Integrations } from '../integrations/integration-store.ts';
import type { CallerContext, ProviderContact, ProviderContext } from './caller-context.ts';
import { lookUp, type LookUpDeps } from './lookup-client.ts';
import type { Caller } from './provider.ts';
import type { SavedContexts } from './saved-context-store.ts';

interface CallerLookupDeps extends LookUpDeps {
  readonly contacts: ContactDeps;
  readonly integrations: Integrations;
  readonly savedContexts: SavedContexts;
  readonly clock: Clock;
}

interface CallerLookupResult {
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

/** The identity of a caller, merged from several systems; only one with a name is kept. */
interface Identity extends ProviderContact {
  readonly name: string;
}

/** `contexts` in the order of their kinds: earlier ones take precedence. */
export function mergeIdentities(contexts: readonly Pick<ProviderContext, 'contact'>[]): Identity | undefined {
  const named = contexts.flatMap(({ contact }) => (contact?.name ? [{ ...contact, name: contact.name }] : []));
  const [first] = named;
  if (!first) return undefined;
  const firstOf = (field: keyof ProviderContact) => named.find((identity) => identity[field] !== null)?.[field] ?? null;
  return { name: first.name, email: firstOf('email'), companyName: firstOf('companyName'), note: firstOf('note') };
}

/** Fields that a person filled in are kept; undefined when there is nothing to fill. */
export function fillBlankFields(contact: Contact, identity: Identity): ContactChange | undefined {
  const fields = ['name', 'email', 'companyName', 'note'] as const;
  const blank = fields.filter((field) => !contact[field]?.trim() && identity[field] !== null);
  return blank.length === 0 ? undefined : Object.fromEntries(blank.map((field) => [field, identity[field]]));
}

/**
 * Creates the contact with a number from the data of connected systems, or fills its blank fields, with the same events as a
 * change by a person. At the cap no contact is created.
 */
async function contactOfCaller(
  { contacts, companies, clock, tick, cap }: ContactDeps,
  companyId: string,
  phone: string,
  identity: Identity | undefined,
): Promise<Contact | undefined> {
  const own = contacts.of(companyId);
  const country = await companies.countryOf(companyId);
  const known = await own.findOne({ phone });
  if (!identity) return known;
  if (known) return fill(known);
  if (!(await cap.hasCapacity(companyId))) return undefined;
  const place = { id: newId('con'), companyId, createdOrder: tick() };
  try {
    const created = await own.create(createContact(place, { phone, ...identity }, country, clock.now()));
    cap.added(companyId);
    return created;
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    // Another request has just created a contact with the number.
    const theirs = await own.findOne({ phone });
    return theirs && fill(theirs);
  }

  async function fill(contact: Contact): Promise<Contact | undefined> {
    if (!identity || !fillBlankFields(contact, identity)) return contact;
    return own
      .change(contact.id, (current) =>
        updateContact(current, fillBlankFields(current, identity) ?? {}, country, clock.now()),
      )
      .catch((error: unknown) => {
        if (error instanceof Refused) return undefined; // it was deleted meanwhile
        throw error;
      });
  }
}
