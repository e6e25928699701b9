import { Refused } from '@parley/errors';
import { newId } from '@parley/secrets';
import { type Contact, type ContactChange, createContact, updateContact } from '../contacts/contact.ts';
import type { ContactDeps } from '../contacts/contact-rpcs.ts';
import type { ProviderContact, ProviderContext } from './caller-context.ts';

/** The identity of a caller, merged from several systems; only one with a name is kept. */
export interface Identity extends ProviderContact {
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
export async function contactOfCaller(
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
