import { z } from 'zod';
import type { CallerRecord } from './records.ts';

/** The common fields of an order, an invoice, a table row and a list of fields. */
export interface SectionEntry {
  readonly title: string | undefined;
  /** ISO 8601, in the order of the columns. */
  readonly dates: readonly string[];
  readonly money: { readonly amount: string; readonly currency: string } | undefined;
  readonly badges: readonly string[];
  readonly url: string | undefined;
}

const money = z.object({ amount: z.coerce.string(), currency: z.string() });
const format = z.string().optional().catch(undefined);
const fieldsSection = z.object({
  type: z.literal('fields'),
  fields: z.array(z.looseObject({ label: z.string(), value: z.json(), format })),
});
const tableSection = z.object({
  type: z.literal('table'),
  columns: z.array(z.looseObject({ key: z.string(), format })),
  rows: z.array(z.looseObject({ url: z.string().optional(), values: z.record(z.string(), z.json()) })),
});

/** The rows of every table and each list of fields as one entry: what the shop shows as orders, accounting as invoices. */
export function sectionEntries({ sections }: CallerRecord): SectionEntry[] {
  return (sections ?? []).flatMap((section) => {
    const table = tableSection.safeParse(section);
    if (table.success) {
      const { columns, rows } = table.data;
      return rows.map(({ url, values }) =>
        entryOf(
          columns.map(({ key, format: hint }) => ({ value: values[key], format: hint })),
          url,
        ),
      );
    }
    const fields = fieldsSection.safeParse(section);
    return fields.success ? [entryOf(fields.data.fields, undefined)] : [];
  });
}

function entryOf(
  cells: readonly { value?: unknown; format?: string | undefined }[],
  url: string | undefined,
): SectionEntry {
  const texts = (wanted: (hint: string | undefined) => boolean) =>
    cells.flatMap(({ value, format: hint }) => (typeof value === 'string' && wanted(hint) ? [value] : []));
  const amounts = cells.flatMap(({ value }) => money.safeParse(value).data ?? []);
  return {
    title: texts((hint) => hint === undefined || hint === 'text')[0],
    dates: texts((hint) => hint === 'date'),
    money: amounts[0],
    badges: texts((hint) => hint === 'badge'),
    url,
  };
}
