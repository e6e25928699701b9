import type { Contact } from '@parley/proto/directory/v1/contacts_pb';
import { z } from 'zod';
import { isoTimeOf } from './value-json.ts';

/** A contact as partners see it. */
export const contactSchema = z
  .object({
    id: z.string(),
    name: z.string().nullable(),
    email: z.string().nullable(),
    phone: z.string().describe('E.164'),
    phone_formatted: z.string().describe('International format with spaces'),
    company_name: z.string().nullable(),
    note: z.string().nullable(),
    created_at: z.string(),
    updated_at: z.string(),
  })
  .meta({ id: 'Contact' });

export function contactJson(contact: Contact): z.output<typeof contactSchema> {
  return {
    id: contact.id,
    name: contact.name ?? null,
    email: contact.email ?? null,
    phone: contact.phone,
    phone_formatted: contact.phoneFormatted,
    company_name: contact.companyName ?? null,
    note: contact.note ?? null,
    created_at: isoTimeOf(contact.createdAt),
    updated_at: isoTimeOf(contact.updatedAt),
  };
}
