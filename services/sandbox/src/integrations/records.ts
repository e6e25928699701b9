import { z } from 'zod';

export const kinds = ['custom_endpoint', 'ecommerce', 'accounting'] as const;
export type Kind = (typeof kinds)[number];

const text = z.string().nullish();

/** A fake system's record of one caller. Sections are not validated: a real system may send malformed ones too. */
const record = z.looseObject({
  contact: z.looseObject({ name: text, email: text, company_name: text, note: text }).nullish(),
  sections: z.array(z.json()).nullish(),
});

/** The body of `PUT /integrations/:kind`: phone number to what is known about it. */
export const recordsInput = z.object({ records: z.record(z.string(), record) });

export type CallerRecord = z.infer<typeof record>;

/** The records of the fake systems. */
export type Records = ReturnType<typeof createRecords>;

export function createRecords() {
  const known = new Map<Kind, Map<string, CallerRecord>>(kinds.map((kind) => [kind, new Map()]));
  const of = (kind: Kind) => known.get(kind) ?? new Map<string, CallerRecord>();
  return {
    set(kind: Kind, records: Readonly<Record<string, CallerRecord>>): void {
      known.set(kind, new Map(Object.entries(records).map(([phone, one]) => [withoutSpaces(phone), one])));
    },
    find: (kind: Kind, phone: string) => of(kind).get(withoutSpaces(phone)),
    /** Numbers in the order they were given: a record's place is its customer number. */
    all: (kind: Kind) => [...of(kind)].map(([phone, one]) => ({ phone, record: one })),
  };
}

function withoutSpaces(phone: string): string {
  return phone.replaceAll(/\s/g, '');
}
