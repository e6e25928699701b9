import type {
  CallerContext,
  ContextField,
  ContextSection,
  ContextValue,
  ProviderContext,
} from '@parley/proto/directory/v1/caller_context_pb';
import { z } from 'zod';
import { contactJson, contactSchema, isoTime } from '@parley/public-json';

const valueSchema = z.union([z.string(), z.object({ amount: z.string(), currency: z.string() })]);
const formatSchema = z.string().describe('text (default), money, date, email, phone or badge');

const sectionSchema = z.union([
  z.object({
    type: z.literal('fields'),
    label: z.string().optional(),
    fields: z.array(
      z.object({
        label: z.string(),
        value: valueSchema,
        format: formatSchema.optional(),
        url: z.string().optional(),
        bold: z.boolean().optional(),
      }),
    ),
  }),
  z.object({
    type: z.literal('table'),
    label: z.string(),
    columns: z.array(z.object({ key: z.string(), label: z.string(), format: formatSchema.optional() })),
    rows: z.array(z.object({ url: z.string().optional(), values: z.record(z.string(), valueSchema) })),
  }),
]);

/** The caller context as JSON. */
export const callerContextSchema = z
  .object({
    contexts: z.array(
      z.object({
        provider: z.string().describe('Machine identifier of the source system'),
        label: z.string(),
        source: z.string().describe('Store, workspace or account'),
        url: z.string().nullable(),
        contact: z
          .object({
            name: z.string().nullable(),
            email: z.string().nullable(),
            company_name: z.string().nullable(),
            note: z.string().nullable(),
          })
          .nullable(),
        sections: z.array(sectionSchema),
      }),
    ),
    enriched_at: z.string().nullable().describe('Null if no provider was queried'),
    contact: contactSchema.nullable(),
  })
  .meta({ id: 'CallerContext' });

export function callerContextJson(context: CallerContext): z.output<typeof callerContextSchema> {
  return {
    contexts: context.contexts.map(providerContextJson),
    enriched_at: isoTime(context.enrichedAt),
    contact: context.contact ? contactJson(context.contact) : null,
  };
}

function providerContextJson(context: ProviderContext) {
  const { provider, label, source, contact } = context;
  return {
    provider,
    label,
    source,
    url: context.url ?? null,
    contact: contact
      ? {
          name: contact.name ?? null,
          email: contact.email ?? null,
          company_name: contact.companyName ?? null,
          note: contact.note ?? null,
        }
      : null,
    sections: context.sections.flatMap(sectionJson),
  };
}

function sectionJson({ content }: ContextSection): z.output<typeof sectionSchema>[] {
  if (content.case === 'fields') {
    const { label, fields } = content.value;
    return [{ type: 'fields', ...(label !== undefined && { label }), fields: fields.map(fieldJson) }];
  }
  if (content.case !== 'table') return [];
  const { label, columns, rows } = content.value;
  return [
    {
      type: 'table',
      label,
      columns: columns.map(({ key, label: heading, format }) => ({ key, label: heading, ...(format && { format }) })),
      rows: rows.map(({ url, values }) => ({
        ...(url !== undefined && { url }),
        values: Object.fromEntries(Object.entries(values).map(([key, value]) => [key, valueJson(value)])),
      })),
    },
  ];
}

function fieldJson({ label, value, format, url, bold }: ContextField) {
  return {
    label,
    value: valueJson(value),
    ...(format && { format }),
    ...(url !== undefined && { url }),
    ...(bold !== undefined && { bold }),
  };
}

function valueJson(value: ContextValue | undefined): z.output<typeof valueSchema> {
  if (value?.content.case !== 'money') return value?.content.value ?? '';
  const { amount, currency } = value.content.value;
  return { amount, currency };
}
