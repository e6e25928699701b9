import {
  type ApiDocument,
  pascalCase,
  receivedEvents,
  resolve,
  type Schema,
  sdkOperations,
} from '../../typescript/generator/document.ts';
import { ANY_EVENT, resultOf } from './results.ts';

/** What the models are made of, and the unions of models, which have no class of their own. */
export interface ModelSchemas {
  readonly document: object;
  /** The models of each union, by its name. */
  readonly unions: Readonly<Record<string, readonly string[]>>;
  /** The model of each type of event. */
  readonly events: Readonly<Record<string, string>>;
}

/** Keywords that change the model; limits of inputs do not. */
const KEPT = new Set(['type', 'description', 'required', 'items', 'additionalProperties', '$ref', 'enum', 'const']);
/** An event of the event log; in what a webhook receives it is missing. */
const EVENT_ID = { type: 'string', description: 'Of the event in the event log' };

/**
 * The schemas of responses and events: every object has a name, unions are where they are used, and enumerations take values that
 * a newer service has. The constants that tell the variants of a union from each other stay as they are.
 */
export function modelSchemas(document: ApiDocument): ModelSchemas {
  const builder = new SchemaBuilder(document);
  for (const operation of sdkOperations(document)) {
    const { schema, model } = resultOf(operation, document);
    if (model === ANY_EVENT) continue;
    if (model !== undefined && schema?.$ref === undefined) builder.name(schema ?? {}, model);
    else if (schema) builder.use(schema, '');
  }
  const received = receivedEvents(document);
  for (const { name } of received) builder.addEvent(name);
  const { openapi, info } = document;
  const schemas = Object.fromEntries([...builder.schemas].sort(([a], [b]) => (a < b ? -1 : 1)));
  return {
    document: { openapi, info, paths: {}, components: { schemas } },
    unions: Object.fromEntries([...builder.unions].sort(([a], [b]) => (a < b ? -1 : 1))),
    events: Object.fromEntries(received.map(({ type, name }) => [type, name])),
  };
}

class SchemaBuilder {
  readonly schemas = new Map<string, object>();
  readonly unions = new Map<string, string[]>();
  readonly #document: ApiDocument;
  readonly #variants: ReadonlySet<string>;

  constructor(document: ApiDocument) {
    this.#document = document;
    this.#variants = new Set(variantsIn(document.components.schemas));
  }

  addEvent(name: string): void {
    const { properties = {}, ...rest } = this.#document.components.schemas[name]!;
    const withId = { ...rest, properties: { id: EVENT_ID, ...properties } };
    this.schemas.set(name, this.#object(withId, name, { isVariant: true }));
  }

  /** A schema where it is used; `name` is that of an object in it that has none. */
  use(schema: Schema, name: string, { isVariant = false } = {}): object {
    const { $ref } = schema;
    if ($ref !== undefined) return this.#useNamed($ref.split('/').at(-1)!);
    const variants = (schema['oneOf'] ?? schema['anyOf']) as readonly Schema[] | undefined;
    const { description } = schema;
    if (variants) {
      const used = variants.map((variant) => this.use(variant, this.#variantName(variant, name), { isVariant: true }));
      return { ...(description !== undefined && { description }), anyOf: used };
    }
    if (schema.properties) {
      this.name(schema, name, { isVariant });
      return { $ref: `#/components/schemas/${name}`, ...(description !== undefined && { description }) };
    }
    return this.#plain(schema, name);
  }

  /** Adds an object, or a union of objects, under a name. */
  name(schema: Schema, name: string, { isVariant = false } = {}): void {
    if (this.schemas.has(name)) throw new Error(`two models would be called ${name}`);
    this.schemas.set(name, {});
    this.schemas.set(name, this.#object(schema, name, { isVariant }));
  }

  #useNamed(name: string): object {
    const schema = this.#document.components.schemas[name]!;
    if (schema.properties) {
      if (!this.schemas.has(name)) this.name(schema, name, { isVariant: this.#variants.has(name) });
      return { $ref: `#/components/schemas/${name}` };
    }
    const members = this.unions.get(name);
    if (members) return { anyOf: members.map((member) => ({ $ref: `#/components/schemas/${member}` })) };
    const used = this.use(schema, name) as { anyOf?: readonly { $ref?: string }[] };
    const models = (used.anyOf ?? []).flatMap(({ $ref }) => $ref?.split('/').at(-1) ?? []);
    if (models.length > 0) this.unions.set(name, models);
    return used;
  }

  #object({ properties = {}, description, required }: Schema, name: string, { isVariant }: { isVariant: boolean }) {
    const used = Object.entries(properties).map(([property, schema]) => {
      const constant = schema['const'] !== undefined && isVariant;
      return [property, constant ? plainSchema(schema) : this.use(schema, `${name}${pascalCase(property)}`)];
    });
    const kept = { ...(description !== undefined && { description }), ...(required !== undefined && { required }) };
    return { type: 'object', ...kept, properties: Object.fromEntries(used) as object };
  }

  /** Neither an object with fields nor a union. */
  #plain(schema: Schema, name: string): object {
    const { items, additionalProperties } = schema;
    const plain = {
      ...plainSchema(schema),
      ...(items && { items: this.use(items, `${name}Item`) }),
      ...(isSchema(additionalProperties) && { additionalProperties: this.use(additionalProperties, `${name}Value`) }),
    };
    const values = schema['const'] === undefined ? schema['enum'] : [schema['const']];
    return Array.isArray(values) && values.some((value) => typeof value === 'string')
      ? openValues(plain, values)
      : plain;
  }

  /** By the constants that a variant has. */
  #variantName(variant: Schema, name: string): string {
    const properties = Object.values(resolve(variant, this.#document).properties ?? {});
    const constants = properties.map((schema) => schema['const']).filter((value) => typeof value === 'string');
    return name + constants.map(pascalCase).join('');
  }
}

function plainSchema(schema: Schema): Schema {
  return Object.fromEntries(Object.entries(schema).filter(([keyword]) => KEPT.has(keyword))) as Schema;
}

function openValues({ description }: Readonly<Record<string, unknown>>, values: readonly unknown[]): object {
  const known = values.filter((value) => value !== null);
  const isNullable = known.length < values.length;
  return {
    ...(description !== undefined && { description }),
    anyOf: [{ type: 'string', enum: known }, { type: 'string' }, ...(isNullable ? [{ type: 'null' }] : [])],
  };
}

function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && Object.keys(value).length > 0;
}

/** The names of the schemas that are variants of a union. */
function variantsIn(part: unknown): string[] {
  if (typeof part !== 'object' || part === null) return [];
  return Object.entries(part).flatMap(([key, value]) => {
    const isUnion = (key === 'oneOf' || key === 'anyOf') && Array.isArray(value);
    const names = isUnion ? (value as Schema[]).flatMap(({ $ref }) => $ref?.split('/').at(-1) ?? []) : [];
    return [...names, ...variantsIn(value)];
  });
}
