import type { JsonSchema, OpenApiDocument, Operation } from './openapi-document.ts';

/** Deep enough for a menu inside a routing slot. */
const DEPTH_MAX = 5;

/** A command to try the operation with, with every required field in it. */
export function curlExample(document: OpenApiDocument, method: string, path: string, operation: Operation): string {
  const base = document.servers?.[0]?.url ?? '$BASE_URL';
  const query = (operation.parameters ?? [])
    .filter((parameter) => parameter.in === 'query' && parameter.required)
    .map(({ name, schema }) => `${name}=${encodeURIComponent(String(exampleOf(document, schema)))}`);
  const address = `${base}${path}${query.length > 0 ? `?${query.join('&')}` : ''}`;
  const lines = [`curl ${method === 'get' ? '' : `-X ${method.toUpperCase()} `}"${address}"`];
  const scheme =
    (operation.security ?? []).length > 0 ? Object.values(document.components.securitySchemes ?? {})[0] : undefined;
  if (scheme !== undefined) lines.push(`-H '${credentialHeader(scheme)}'`);
  const [mediaType, content] = Object.entries(operation.requestBody?.content ?? {})[0] ?? [];
  if (mediaType === 'application/json' && content !== undefined) {
    lines.push("-H 'Content-Type: application/json'");
    lines.push(`-d '${JSON.stringify(exampleOf(document, content.schema)).replaceAll("'", "'\\''")}'`);
  } else if (content !== undefined && mediaType?.includes('form')) {
    const fields = exampleOf(document, content.schema) as Record<string, unknown>;
    for (const [name, value] of Object.entries(fields)) lines.push(`-d '${name}=${String(value)}'`);
  }
  return lines.join(' \\\n  ');
}

function credentialHeader(scheme: JsonSchema): string {
  return scheme.type === 'apiKey' ? `${scheme.name}: <key>` : 'Authorization: Bearer <token>';
}

function exampleOf(document: OpenApiDocument, schema: JsonSchema, depth = 0): unknown {
  const examples = schema.examples;
  if (Array.isArray(examples) && examples.length > 0) return examples[0];
  if ('const' in schema) return schema.const;
  if ('default' in schema) return schema.default;
  if (Array.isArray(schema.enum)) return schema.enum[0];
  if (depth > DEPTH_MAX) return null;
  if (typeof schema.$ref === 'string') {
    const named = document.components.schemas[schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1)];
    return exampleOf(document, named ?? {}, depth + 1);
  }
  const options = (schema.anyOf ?? schema.oneOf ?? schema.allOf) as JsonSchema[] | undefined;
  if (options !== undefined) return exampleOf(document, options[0] ?? {}, depth + 1);
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type;
  if (type === 'object') return exampleObject(document, schema, depth);
  if (type === 'array') return [exampleOf(document, (schema.items ?? {}) as JsonSchema, depth + 1)];
  return PLAIN[String(schema.format)] ?? PLAIN[String(type)] ?? null;
}

function exampleObject(document: OpenApiDocument, schema: JsonSchema, depth: number): Record<string, unknown> {
  const properties = (schema.properties ?? {}) as Record<string, JsonSchema>;
  const required = (schema.required ?? []) as string[];
  // A change has no required field: one of its fields says more than an empty object.
  const shown = required.length > 0 ? required : Object.keys(properties).slice(0, 1);
  return Object.fromEntries(shown.map((name) => [name, exampleOf(document, properties[name] ?? {}, depth + 1)]));
}

const PLAIN: Readonly<Record<string, unknown>> = {
  'date-time': '2030-01-31T09:00:00.000Z',
  email: 'ada@example.com',
  uri: 'https://example.com/',
  string: 'text',
  integer: 1,
  number: 1,
  boolean: true,
};
