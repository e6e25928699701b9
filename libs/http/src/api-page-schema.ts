import { type Markup, markup, prose } from './markup.ts';
import type { JsonSchema } from './openapi-document.ts';

/** Deeper than this a reader follows the links instead. */
const DEPTH_MAX = 6;

const CONSTRAINTS: Readonly<Record<string, (value: unknown) => string>> = {
  format: (format) => String(format),
  pattern: (pattern) => `matches ${String(pattern)}`,
  minLength: (count) => `at least ${String(count)} characters`,
  maxLength: (count) => `at most ${String(count)} characters`,
  minimum: (limit) => `at least ${String(limit)}`,
  maximum: (limit) => `at most ${String(limit)}`,
  minItems: (count) => `at least ${String(count)} in the list`,
  maxItems: (count) => `at most ${String(count)} in the list`,
};

/** A schema as a list of fields, with named schemas as links. */
export function schemaMarkup(schema: JsonSchema, depth = 0): Markup {
  if (depth > DEPTH_MAX) return markup``;
  const alternatives = schemasIn(schema.anyOf, schema.oneOf).map((one) => schemaMarkup(one, depth + 1));
  const parts = schemasIn(schema.items, schema.additionalProperties, schema.allOf);
  return markup`${fieldsMarkup(schema, depth)}${parts.map((one) => schemaMarkup(one, depth + 1))}${joined(
    alternatives.filter(({ html }) => html !== ''),
    markup`<p class="or">or</p>`,
  )}`;
}

/** "array of Contact or null". */
export function typeMarkup(schema: JsonSchema): Markup {
  const reference = schema.$ref;
  if (typeof reference === 'string') {
    const name = reference.slice(reference.lastIndexOf('/') + 1);
    return markup`<a href="#schema-${name}">${name}</a>`;
  }
  if ('const' in schema) return markup`<code>${JSON.stringify(schema.const)}</code>`;
  if (Array.isArray(schema.enum))
    return joined(schema.enum.map((value) => markup`<code>${JSON.stringify(value)}</code>`));
  const options = schema.anyOf ?? schema.oneOf;
  if (Array.isArray(options)) return joined(options.map((option: JsonSchema) => typeMarkup(option)));
  if (schema.type === 'array') return markup`array of ${typeMarkup((schema.items ?? {}) as JsonSchema)}`;
  if (Array.isArray(schema.type)) return joined(schema.type.map((type) => markup`${type}`));
  return markup`${typeof schema.type === 'string' ? schema.type : 'anything'}`;
}

/** Everything about a value but its type. */
export function notesMarkup(schema: JsonSchema): Markup {
  const limits = Object.entries(CONSTRAINTS).filter(
    ([keyword]) => keyword in schema && !isMachineLimit(schema[keyword]),
  );
  const texts = limits.map(([keyword, say]) => say(schema[keyword]));
  if (schema.default !== undefined) texts.push(`default ${JSON.stringify(schema.default)}`);
  return markup`${typeof schema.description === 'string' && markup`<p>${prose(schema.description)}</p>`}${
    texts.length > 0 && markup`<p class="limits">${texts.join(' · ')}</p>`
  }`;
}

function fieldsMarkup(schema: JsonSchema, depth: number): Markup {
  const properties = Object.entries((schema.properties ?? {}) as Record<string, JsonSchema>);
  if (properties.length === 0) return markup``;
  const required = new Set((schema.required ?? []) as string[]);
  return markup`<dl class="fields">${properties.map(
    ([name, field]) => markup`<div>
<dt><code>${name}</code> <span class="type">${typeMarkup(field)}</span>${!required.has(name) && markup` <span class="optional">optional</span>`}</dt>
<dd>${notesMarkup(field)}${schemaMarkup(field, depth + 1)}</dd></div>`,
  )}</dl>`;
}

function schemasIn(...places: unknown[]): JsonSchema[] {
  return places.flat().filter((one): one is JsonSchema => typeof one === 'object' && one !== null);
}

/** Each once: two alternatives that are both an object are "object". */
function joined(parts: readonly Markup[], between: Markup = markup` or `): Markup {
  const different = parts.filter((part, i) => parts.findIndex(({ html }) => html === part.html) === i);
  return markup`${different.map((part, i) => markup`${i > 0 && between}${part}`)}`;
}

/** An integer's bounds of 2^53 are the language's, not ours. */
function isMachineLimit(value: unknown): boolean {
  return typeof value === 'number' && Math.abs(value) >= Number.MAX_SAFE_INTEGER;
}
