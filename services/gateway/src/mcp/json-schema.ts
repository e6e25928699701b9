import { z } from 'zod';

/** The used part of JSON Schema. */
export interface JsonSchema {
  type?: string | string[];
  properties?: Record<string, JsonSchema>;
  required?: string[];
  [keyword: string]: unknown;
}

export function argumentsSchema(schema: z.ZodObject): JsonSchema {
  return convert(schema, 'input');
}

/**
 * Describes fields and types down to the second level only, because an assistant reads the schemas of all tools first; the REST
 * reference is complete.
 */
export function resultSchema(schema: z.ZodObject): JsonSchema {
  const { $defs = {}, ...root } = convert(schema, 'output');
  return outline(root, $defs as Record<string, JsonSchema>, RESULT_LEVELS);
}

const RESULT_LEVELS = 2;

function convert(schema: z.ZodObject, io: 'input' | 'output'): JsonSchema {
  const { $schema: _, ...root } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    override: ({ jsonSchema }) => {
      // Unknown arguments are ignored.
      if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
      if (jsonSchema.format === 'date-time') delete jsonSchema.pattern;
    },
  });
  return root as JsonSchema;
}

function outline(schema: JsonSchema, named: Readonly<Record<string, JsonSchema>>, levels: number): JsonSchema {
  const { $ref, type, properties, items, anyOf } = schema;
  if (typeof $ref === 'string') return outline(named[$ref.replace('#/$defs/', '')] ?? {}, named, levels);
  if (Array.isArray(anyOf)) return either(anyOf.map((one) => outline(one as JsonSchema, named, levels)));
  if (type === 'array') {
    const item = outline((items ?? {}) as JsonSchema, named, levels);
    return { type, ...(Object.keys(item).length > 0 && { items: item }) };
  }
  if (properties === undefined || levels === 0) return type === undefined ? {} : { type };
  const fields = Object.entries(properties).map(([name, field]) => [name, outline(field, named, levels - 1)]);
  return { type: 'object', properties: Object.fromEntries(fields) };
}

/** Null or something else is one schema with two types; anything more is left open. */
function either(schemas: readonly JsonSchema[]): JsonSchema {
  const [one, ...others] = schemas.filter(({ type }) => type !== 'null');
  if (one?.type === undefined || others.length > 0) return {};
  return { ...one, type: [one.type, 'null'].flat() };
}

/** The schema of a result whose given keys may be null instead, without anything else. */
export function orNull(schema: JsonSchema, keys: readonly string[]): JsonSchema {
  const properties = { ...schema.properties };
  for (const key of keys) properties[key] = { anyOf: [properties[key] ?? {}, { type: 'null' }] };
  return { ...schema, properties, required: [...keys] };
}
