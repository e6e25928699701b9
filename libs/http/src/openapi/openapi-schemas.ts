import { z } from 'zod';

export type SchemaRegistry = ReturnType<typeof createSchemaRegistry>;

/** Formats that replace an equivalent pattern, because they are readable. */
const READABLE_FORMATS: ReadonlySet<unknown> = new Set(['date-time', 'date', 'email', 'uri', 'uuid']);

/** The name that zod gives a schema that refers to itself without having a name. */
const NAMELESS = '__schema';

type Io = 'input' | 'output';
type Definitions = Readonly<Record<string, JsonSchema>>;

/**
 * Collects the named schemas of a document while its operations are described.
 *
 * `.meta({ id: 'Contact' })` makes a schema `#/components/schemas/Contact`. One that looks different when it is sent
 * than when it is received is two components, the later one with `Input` or `Output` behind its name.
 */
export function createSchemaRegistry() {
  const components = new Map<string, JsonSchema>();
  /** Each definition with everything it refers to, by name, to detect conflicting definitions. */
  const definitionsById = new Map<string, string>();
  const described = { input: new Map<string, string>(), output: new Map<string, string>() };

  function nameFor(id: string, io: Io, definitions: Definitions): string {
    if (id.startsWith(NAMELESS)) return `Schema${components.size + 1}`;
    const whole = JSON.stringify([...reachable(id, definitions)].sort().map((one) => [one, definitions[one]]));
    const known = described[io].get(id);
    if (known !== undefined && definitionsById.get(known) !== whole) throw new Error(`two schemas have the id ${id}`);
    const shared = (definitionsById.get(id) ?? whole) === whole;
    const name = known ?? (shared ? id : `${id}${io === 'input' ? 'Input' : 'Output'}`);
    described[io].set(id, name);
    definitionsById.set(name, whole);
    return name;
  }

  return {
    /** The JSON Schema of what a client sends (`input`) or gets (`output`); named schemas become references. */
    describe(schema: z.ZodType, io: Io): JsonSchema {
      const {
        $schema: _,
        $defs,
        ...root
      } = z.toJSONSchema(schema, {
        io,
        unrepresentable: 'any',
        override: ({ jsonSchema }) => normalizeSchema(jsonSchema, io),
      });
      const definitions = ($defs ?? {}) as Definitions;
      const names = new Map<string, string>();
      for (const id in definitions) {
        const name = nameFor(id, io, definitions);
        names.set(id, name);
        components.set(name, components.get(name) ?? {});
      }
      for (const [id, name] of names) components.set(name, renamed(definitions[id] as JsonSchema, names));
      return renamed(root as JsonSchema, names);
    },
    /** Everything that was named, by its name. */
    components: (): Record<string, JsonSchema> =>
      Object.fromEntries([...components].sort(([a], [b]) => (a < b ? -1 : 1))),
  };
}

function normalizeSchema(json: z.core.JSONSchema.BaseSchema, io: Io): void {
  if (READABLE_FORMATS.has(json.format)) delete json.pattern;
  // Responses may gain fields: clients ignore unknown ones.
  if (io === 'output' && json.additionalProperties === false) delete json.additionalProperties;
}

function reachable(id: string, definitions: Definitions, seen = new Set<string>()): Set<string> {
  if (seen.has(id)) return seen;
  seen.add(id);
  for (const [, next] of JSON.stringify(definitions[id]).matchAll(/"\$ref":"#\/\$defs\/([^"]+)"/g)) {
    reachable(next as string, definitions, seen);
  }
  return seen;
}

function renamed<Value>(value: Value, names: ReadonlyMap<string, string>): Value {
  if (Array.isArray(value)) return value.map((item) => renamed(item, names)) as Value;
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, item]) =>
    key === '$ref' && typeof item === 'string' ? [key, componentOf(item, names)] : [key, renamed(item, names)],
  );
  return Object.fromEntries(entries) as Value;
}

function componentOf(reference: string, names: ReadonlyMap<string, string>): string {
  const name = names.get(reference.replace('#/$defs/', ''));
  if (name === undefined) throw new Error('a schema that refers to itself needs an id: .meta({ id: … })');
  return `#/components/schemas/${name}`;
}

/** A JSON Schema of draft 2020-12, or a reference to one. */
export type JsonSchema = { readonly [keyword: string]: unknown };

/** A reference into `components`. */
export interface Reference {
  readonly $ref: string;
}

/** A parameter of a path, a query or a header. */
export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required: boolean;
  readonly description?: string;
  readonly schema: JsonSchema;
}

/** Media type to schema. */
export type Content = Readonly<Record<string, { readonly schema: JsonSchema }>>;

/** One response of an operation. */
export interface ResponseEntry {
  readonly description: string;
  readonly headers?: Readonly<Record<string, unknown>>;
  readonly content?: Content;
}
