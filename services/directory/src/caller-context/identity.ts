import type { Contact, ContactChange } from '../contacts/contact.ts';
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
