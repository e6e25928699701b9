import { timestampDate, type Timestamp } from '@bufbuild/protobuf/wkt';
import type { Contact } from '@parley/proto/directory/v1/contacts_pb';
import { z } from 'zod';
import { boundedText, emailText, nameText } from '../shared/bounded-text.ts';

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
    created_at: isoTime(contact.createdAt),
    updated_at: isoTime(contact.updatedAt),
  };
}

/** The optional fields of a contact as a body has them; null and blank both clear. */
export const contactTexts = z.object({
  name: nameText.nullish(),
  email: emailText.nullish(),
  company_name: nameText.nullish(),
  note: boundedText(10_000).nullish(),
});

function isoTime(timestamp: Timestamp | undefined): string {
  if (!timestamp) throw new Error('a contact without its times');
  return timestampDate(timestamp).toISOString();
}
