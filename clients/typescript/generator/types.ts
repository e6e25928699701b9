import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createClient } from '@hey-api/openapi-ts';
import {
  type ApiDocument,
  type Parameter,
  receivedEvents,
  RECORDED_EVENT,
  type Schema,
  sdkOperations,
  successOf,
} from './document.ts';

/** A value that no enumeration has; it marks where unknown ones are allowed. */
const OPEN = '__unknown__';
/** Marks an event of a type that this version does not know. */
const UNKNOWN_EVENT = '__unknown_event__';

/** The types of inputs and responses; what the service adds later fits them. */
export async function typesText(document: ApiDocument): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'parley-types-'));
  try {
    await createClient({
      input: clientDocument(document) as Record<string, unknown>,
      output: { path: folder },
      plugins: ['@hey-api/typescript'],
      logs: { level: 'silent', file: false },
    });
    const text = await readFile(path.join(folder, 'types.gen.ts'), 'utf8');
    // Keeps the known values as suggestions; `string` alone would swallow them.
    const types = text
      .replace(/^\/\/.*\n+/, '')
      .replace(/export type ClientOptions = \{\n.*\n\};\n+/, '')
      .replaceAll(`'${OPEN}'`, '(string & {})')
      .replaceAll(/(\b20\d: )void;/g, '$1undefined;')
      .replaceAll(`'${UNKNOWN_EVENT}'`, '(UnknownEvent & { readonly id: string })');
    return `import type { UnknownEvent } from '../events/event.ts';\n\n${types}`;
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** What clients need of the document: operations with a method, their successes, the events, and the schemas in them. */
function clientDocument(document: ApiDocument): object {
  const { schemas } = document.components;
  const eventRefs = receivedEvents(document).map(({ name }) => ({ $ref: `#/components/schemas/${name}` }));
  const operations = sdkOperations(document);
  const given = referenced([...operations.map(successOf), ...eventRefs], schemas);
  const variants = new Set([...variantsIn(operations), ...variantsIn(schemas)]);
  const paths: Record<string, Record<string, object>> = {};
  for (const { verb, path: below, operationId, summary, parameters = [], requestBody, responses } of operations) {
    const successes = Object.entries(responses).filter(([status]) => status.startsWith('2'));
    (paths[below] ??= {})[verb.toLowerCase()] = {
      operationId,
      summary,
      parameters: open(parameters.filter(({ in: where }) => where !== 'header').map(clientParameter), {
        fields: false,
      }),
      ...(requestBody && { requestBody: open(requestBody, { fields: false }) }),
      responses: Object.fromEntries(
        successes.map(([status, { content }]) => [
          status,
          { description: '', content: open(content, { fields: true }) },
        ]),
      ),
    };
  }
  const kept = [...referenced([paths, ...eventRefs], schemas)].sort().map((name) => {
    const options = { fields: given.has(name), isVariant: variants.has(name) };
    const schema = name === RECORDED_EVENT ? withUnknown(schemas[name]!) : schemas[name];
    return [name, open(schema, options)] as const;
  });
  const { openapi, info } = document;
  return { openapi, info, paths, components: { schemas: Object.fromEntries(kept) } };
}

function withUnknown(union: Schema): Schema {
  return { ...union, oneOf: [...(union['oneOf'] as Schema[]), { const: UNKNOWN_EVENT }] };
}

/** Numbers are written as text in a query; lists with commas. */
function clientParameter(parameter: Parameter): Parameter {
  const { in: where, schema, description = '' } = parameter;
  if (where !== 'query') return parameter;
  if (/separated by commas|comma-separated/.test(description))
    return { ...parameter, schema: { anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }] } };
  const isNumber = String(schema['pattern'] ?? '').startsWith(String.raw`^[+-]?\d`);
  return isNumber ? { ...parameter, schema: { type: ['integer', 'string'] } } : parameter;
}

/**
 * Part of the document with values that it does not name: of enumerations, and in `fields` of objects. The constants that tell
 * the variants of a union from each other stay as they are.
 */
function open(part: unknown, { fields, isVariant = false }: { fields: boolean; isVariant?: boolean }): unknown {
  if (Array.isArray(part)) return part.map((item) => open(item, { fields }));
  if (typeof part !== 'object' || part === null) return part;
  const opened = Object.entries(part).map(([key, value]) => {
    if (key === 'oneOf' || key === 'anyOf')
      return [key, (value as unknown[]).map((item) => open(item, { fields, isVariant: true }))];
    if (key === 'properties') return [key, openProperties(value as Record<string, Schema>, fields, isVariant)];
    return [key, key === 'enum' || key === 'example' ? value : open(value, { fields })];
  });
  return openSchema(Object.fromEntries(opened) as Schema, fields);
}

function openProperties(properties: Record<string, Schema>, fields: boolean, isVariant: boolean): object {
  const opened = Object.entries(properties).map(([name, schema]) => {
    const constant = schema['const'];
    const isOpen = typeof constant === 'string' && !isVariant;
    return [name, isOpen ? { ...schema, const: undefined, enum: [constant, OPEN] } : open(schema, { fields })];
  });
  return Object.fromEntries(opened) as object;
}

function openSchema(schema: Schema, fields: boolean): Schema {
  const { enum: values, properties, additionalProperties } = schema;
  if (Array.isArray(values) && values.some((value) => typeof value === 'string'))
    return { ...schema, enum: [...(values as unknown[]), OPEN] };
  return fields && properties !== undefined && additionalProperties === undefined
    ? { ...schema, additionalProperties: true }
    : schema;
}

/** The names of all schemas that a part of the document refers to, directly or through others. */
function referenced(part: unknown, schemas: Readonly<Record<string, Schema>>, found = new Set<string>()): Set<string> {
  if (typeof part !== 'object' || part === null) return found;
  const { $ref } = part as Schema;
  const name = typeof $ref === 'string' ? $ref.split('/').at(-1)! : undefined;
  if (name !== undefined && !found.has(name)) referenced(schemas[name], schemas, found.add(name));
  for (const value of Object.values(part)) referenced(value, schemas, found);
  return found;
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
