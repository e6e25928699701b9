/** The parts of a JSON schema that limit a value. */
export interface ValueSchema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly ValueSchema[];
  readonly oneOf?: readonly ValueSchema[];
  readonly properties?: Readonly<Record<string, ValueSchema>>;
  readonly items?: ValueSchema;
  readonly maxItems?: number;
  readonly maxLength?: number;
  readonly maximum?: number;
  readonly pattern?: string;
  readonly format?: string;
}

export type Schemas = Readonly<Record<string, ValueSchema>>;

/** Values of fields that would otherwise be refused before anything is done with the others. */
const ACCEPTED: Readonly<Record<string, string>> = {
  phone: '+4520304050',
  phone_number: '+4520304050',
  forward_to: '+4520304050',
  timezone: 'Europe/Copenhagen',
  language: 'da',
  country: 'DK',
  email: 'largest@example.com',
  url: 'https://example.com/hook',
  endpoint: 'https://example.com/push',
  opening_at: '08:00',
  closing_at: '16:00',
  from: '2026-01-01',
  to: '2026-12-31',
  at: '2026-03-02T10:00:00Z',
  vat_id: 'DK12345678',
};
/** As long as any text that has its limit in its description. */
const TEXT_LENGTH_MAX = 10_000;
const ITEMS_MAX = 1_000;

/** The largest values that a schema accepts, one for each of its alternatives. */
export function largestValues(schema: ValueSchema, schemas: Schemas, fill = '電話番号は', name = ''): unknown[] {
  const resolved = resolve(schema, schemas);
  const { const: only, enum: choices, properties, items, type } = resolved;
  const alternatives = resolved.oneOf ?? resolved.anyOf;
  if (alternatives) return alternatives.flatMap((one) => largestValues(one, schemas, fill, name));
  if (only !== undefined) return [only];
  if (choices) return [choices.at(-1)];
  if (properties) return objectsOf(properties, schemas, fill);
  if (items) return [Array.from({ length: resolved.maxItems ?? ITEMS_MAX }, () => largest(items, schemas, fill, name))];
  const [kind] = typeof type === 'string' ? [type] : (type ?? ['null']);
  if (kind === 'string') return [textOf(resolved, fill, name)];
  if (kind === 'integer' || kind === 'number') return [resolved.maximum ?? 1];
  return [kind === 'boolean' ? true : null];
}

function largest(schema: ValueSchema, schemas: Schemas, fill: string, name: string): unknown {
  const sizeOf = (value: unknown) => JSON.stringify(value)?.length ?? 0;
  return largestValues(schema, schemas, fill, name).toSorted((one, other) => sizeOf(other) - sizeOf(one))[0];
}

/** One for each alternative of a field that decides over the others is not needed: those are alternatives of the whole. */
function objectsOf(properties: Readonly<Record<string, ValueSchema>>, schemas: Schemas, fill: string): object[] {
  const fields = Object.entries(properties).map(([name, field]) => [name, largest(field, schemas, fill, name)]);
  return [Object.fromEntries(fields)];
}

function textOf({ maxLength = TEXT_LENGTH_MAX, format, pattern }: ValueSchema, fill: string, name: string): string {
  if (format === 'date-time') return '2026-03-02T10:00:00Z';
  const known = ACCEPTED[name];
  if (known !== undefined || pattern !== undefined) return known ?? '';
  return fill.repeat(Math.ceil(maxLength / fill.length)).slice(0, maxLength);
}

function resolve(schema: ValueSchema, schemas: Schemas): ValueSchema {
  return schema.$ref === undefined ? schema : schemas[schema.$ref.split('/').at(-1)!]!;
}
