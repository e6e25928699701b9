import { newId } from '@parley/secrets';
import { Refused } from '@parley/errors';
import { type Contact, createContact, updateContact } from '../contacts/contact.ts';
import type { ContactDeps } from '../contacts/contact-rpcs.ts';
import { fillBlankFields, type Identity } from './identity.ts';

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
