import type { Contact } from '../api/schema.d.ts';

/** The fields of the form, by their names in the API. */
export const CONTACT_FIELDS = ['name', 'phone', 'email', 'company_name', 'note'] as const;

export type ContactField = (typeof CONTACT_FIELDS)[number];

/** The values of the form. */
export type TypedContact = Readonly<Record<ContactField, string>>;

export const NO_CONTACT: TypedContact = { name: '', phone: '', email: '', company_name: '', note: '' };

export interface ContactBody {
  name?: string | null;
  phone?: string;
  email?: string | null;
  company_name?: string | null;
  note?: string | null;
}

export function typedFrom(contact: Contact): TypedContact {
  const fields = CONTACT_FIELDS.map((field) => [field, contact[field] ?? '']);
  return Object.fromEntries(fields) as unknown as TypedContact;
}

/** Only what was changed, so that what a coworker changed meanwhile stays. An empty field is cleared. */
export function changesIn(typed: TypedContact, loaded: TypedContact): ContactBody {
  const changed = CONTACT_FIELDS.filter((field) => typed[field] !== loaded[field]);
  return Object.fromEntries(
    changed.map((field) => [field, field === 'phone' ? typed.phone : typed[field].trim() === '' ? null : typed[field]]),
  );
}

/** The name of a contact for people. */
export function contactTitle({ name, company_name, phone_formatted }: Contact): string {
  return name?.trim() || company_name?.trim() || phone_formatted;
}
