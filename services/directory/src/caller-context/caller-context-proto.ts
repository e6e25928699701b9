import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { type EncodedMessage, encodeMessage } from '@parley/events';
import type {
  CallerContextSchema,
  ContextSectionSchema,
  ContextValueSchema,
  ProviderContextSchema,
} from '@parley/proto/directory/v1/caller_context_pb';
import type { Contact } from '../contacts/contact.ts';
import { contactToProto } from '../contacts/contact-store.ts';
import type { CallerContext, ProviderContext, SavedContextEvent, Section, Value } from './caller-context.ts';

export function callerContextToProto(
  { contexts, enrichedAt }: CallerContext,
  contact: Contact | undefined,
): MessageInitShape<typeof CallerContextSchema> {
  return {
    contexts: contexts.map(providerContextToProto),
    ...(enrichedAt && { enrichedAt: timestampFromDate(enrichedAt) }),
    ...(contact && { contact: contactToProto(contact) }),
  };
}

function providerContextToProto(context: ProviderContext): MessageInitShape<typeof ProviderContextSchema> {
  const { provider, label, source, url, contact, sections } = context;
  return {
    provider,
    label,
    source,
    ...(url !== null && { url }),
    ...(contact && {
      contact: {
        ...(contact.name !== null && { name: contact.name }),
        ...(contact.email !== null && { email: contact.email }),
        ...(contact.companyName !== null && { companyName: contact.companyName }),
        ...(contact.note !== null && { note: contact.note }),
      },
    }),
    sections: sections.map(sectionToProto),
  };
}

function sectionToProto(section: Section): MessageInitShape<typeof ContextSectionSchema> {
  if (section.type === 'fields') {
    const fields = section.fields.map((field) => ({ ...field, value: valueToProto(field.value) }));
    const value = { ...(section.label !== undefined && { label: section.label }), fields };
    return { content: { case: 'fields', value } };
  }
  const rows = section.rows.map(({ url, values }) => ({
    ...(url !== undefined && { url }),
    values: Object.fromEntries(Object.entries(values).map(([key, value]) => [key, valueToProto(value)])),
  }));
  const columns = section.columns.map((column) => ({ ...column }));
  return { content: { case: 'table', value: { label: section.label, columns, rows } } };
}

function valueToProto(value: Value): MessageInitShape<typeof ContextValueSchema> {
  return { content: typeof value === 'string' ? { case: 'text', value } : { case: 'money', value: { ...value } } };
}

export function encodeSavedContextEvent({ type, saved }: SavedContextEvent): EncodedMessage {
  return encodeMessage(type, { phone: saved.phone, context: callerContextToProto(saved, undefined) });
}
