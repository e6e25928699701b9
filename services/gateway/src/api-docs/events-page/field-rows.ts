import type { JsonSchema } from '@parley/http';

/** A field of a JSON object, for a table. */
export interface FieldRow {
  /** `employees[].id` */
  readonly path: string;
  readonly type: string;
  readonly description: string;
}

/** The fields of an object, those of nested objects after it; `components` are the named schemas it refers to. */
export function fieldRows(schema: JsonSchema, components: Readonly<Record<string, JsonSchema>>, path = ''): FieldRow[] {
  const { alternatives } = resolve(schema, components);
  return alternatives.flatMap((alternative) => {
    if (alternative['items']) return fieldRows(alternative['items'] as JsonSchema, components, `${path}[]`);
    const { required = [], properties = {} } = alternative as ObjectSchema;
    return Object.entries(properties).flatMap(([name, property]) => {
      const at = path === '' ? name : `${path}.${name}`;
      const { description = '' } = { ...resolve(property, components).described, ...property };
      const optional = required.includes(name) ? '' : ', not always there';
      const own = { path: at, type: typeText(property, components) + optional, description: String(description) };
      return [own, ...fieldRows(property, components, at)];
    });
  });
}

interface ObjectSchema {
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
}

/** What a value may be, without references. `described`: the schema that was referred to, which may describe the value. */
function resolve(schema: JsonSchema, components: Readonly<Record<string, JsonSchema>>): Resolved {
  const { $ref } = schema;
  if (typeof $ref === 'string') {
    const found = components[$ref.slice($ref.lastIndexOf('/') + 1)];
    if (!found) throw new Error(`there is no ${$ref}`);
    return resolve(found, components);
  }
  const parts = (schema['anyOf'] ?? schema['oneOf']) as readonly JsonSchema[] | undefined;
  if (!parts) return { described: schema, alternatives: [schema] };
  return { described: schema, alternatives: parts.flatMap((part) => resolve(part, components).alternatives) };
}

interface Resolved {
  readonly described: JsonSchema;
  readonly alternatives: readonly JsonSchema[];
}

/** `string or null`, `one of open, done`. */
function typeText(schema: JsonSchema, components: Readonly<Record<string, JsonSchema>>): string {
  const names = resolve(schema, components).alternatives.flatMap((alternative) => {
    const { type, items, enum: values, const: value } = alternative;
    if (value !== undefined) return [JSON.stringify(value)];
    if (Array.isArray(values)) {
      const named = values.filter((one) => one !== null);
      return [`one of ${named.join(', ')}`, ...(named.length < values.length ? ['null'] : [])];
    }
    if (type === 'array') return [`list of ${typeText(items as JsonSchema, components)}`];
    return type === undefined ? ['any value'] : [type].flat().map(String);
  });
  return [...new Set(names)].join(' or ');
}
