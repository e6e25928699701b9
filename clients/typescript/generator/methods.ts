import {
  type ApiDocument,
  type DescribedOperation,
  type Parameter,
  pascalCase,
  receivedEvents,
  resolve,
  type Schema,
  sdkOperations,
  type SdkOperation,
  successOf,
} from './document.ts';

/** The table of operations that the methods are made of; see `Operation` in src/resources.ts. */
export function operationsText(document: ApiDocument): string {
  const entries = sdkOperations(document).map((operation) => {
    const list = listOf(operation, document);
    const gives = givesOf(operation);
    const takes = takesOf(operation);
    const facts = {
      route: `${operation.verb} ${operation.path}`,
      ...(!hasInput(operation) && { bare: true }),
      ...(list && { list: list.field, ...(list.page && { page: list.page }) }),
      ...(isKeyed(operation) && { keyed: true }),
      ...(gives && { gives }),
      ...(takes !== undefined && { takes }),
    };
    const written = Object.entries(facts).map(([name, value]) => `${name}: ${literal(value)}`);
    return `  ${literal(operation.name)}: { ${written.join(', ')} },\n`;
  });
  return `import type { Operation } from '../resources.ts';

export const OPERATIONS: Readonly<Record<string, Operation>> = {
${entries.join('')}};
`;
}

/** The methods as interfaces, with their documentation. */
export function resourcesText(document: ApiDocument): string {
  const resources = new Map<string, string[]>([['', []]]);
  for (const operation of sdkOperations(document)) {
    const path = operation.name.split('.');
    const method = path.pop()!;
    for (let depth = 1; depth <= path.length; depth++) addResource(resources, path.slice(0, depth));
    resources.get(path.join('.'))!.push(`${documentation(operation)}  ${method}${signature(operation, document)};\n`);
  }
  const interfaces = [...resources].map(
    ([path, members]) => `export interface ${interfaceName(path)} {\n${members.join('')}}\n`,
  );
  return `import type { PagePromise } from '../pages.ts';
import type { RequestOptions } from '../transport/transport.ts';
import type * as types from './types.ts';

${interfaces.join('\n')}`;
}

/** What webhooks receive: a variant for each type of event. */
export function eventsText(document: ApiDocument): string {
  const events = receivedEvents(document);
  const variants = events.map(({ type, name }) => `  | EventOf<${literal(type)}, types.${name}['data']>\n`);
  return `import type { EventOf, UnknownEvent } from '../events/event.ts';
import type * as types from './types.ts';

/** A type of event; the service may know more than this version. */
export type EventType =
${events.map(({ type }) => `  | ${literal(type)}\n`).join('')}  | (string & {});

/** What a webhook receives. \`event.event\` tells the type of \`event.data\`. */
export type WebhookEvent =
${variants.join('')}  | UnknownEvent;
`;
}

function addResource(resources: Map<string, string[]>, path: readonly string[]): void {
  const name = path.join('.');
  if (resources.has(name)) return;
  resources.set(name, []);
  resources.get(path.slice(0, -1).join('.'))!.push(`  readonly ${path.at(-1)}: ${interfaceName(name)};\n`);
}

/** `Resources` for all of them, `BusinessNumbersClosuresMethods` for a group. */
function interfaceName(path: string): string {
  return path === '' ? 'Resources' : `${pascalCase(path)}Methods`;
}

function documentation({ summary, description }: DescribedOperation): string {
  const text = description === undefined ? `${summary}.` : `${summary}. ${description}`;
  return `  /** ${text.replaceAll('*/', '*\\/').replaceAll(/\s+/g, ' ')} */\n`;
}

/** Ids by position, then the body or the query if there is one, then the options. */
function signature(operation: SdkOperation, document: ApiDocument): string {
  const ids = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => `${camelCase(name!)}: string`);
  const input = hasInput(operation) ? [inputOf(operation)] : [];
  return `(${[...ids, ...input, 'options?: RequestOptions'].join(', ')}): ${resultOf(operation, document)}`;
}

function inputOf(operation: SdkOperation): string {
  const { requestBody } = operation;
  const data = `types.${pascalCase(operation.operationId)}Data`;
  if (takesOf(operation) !== undefined) return 'body: string | Uint8Array<ArrayBuffer> | Blob';
  if (requestBody) return `body${requestBody.required ? '' : '?'}: ${data}['body']`;
  const isRequired = queryOf(operation).some(({ required }) => required === true);
  return `query${isRequired ? '' : '?'}: ${data}['query']`;
}

function hasInput(operation: DescribedOperation): boolean {
  return operation.requestBody !== undefined || queryOf(operation).length > 0;
}

function queryOf({ parameters = [] }: DescribedOperation): readonly Parameter[] {
  return parameters.filter(({ in: where }) => where === 'query');
}

function resultOf(operation: SdkOperation, document: ApiDocument): string {
  const gives = givesOf(operation);
  if (gives) return gives === 'text' ? 'Promise<string>' : 'Promise<void>';
  const response = `types.${pascalCase(operation.operationId)}Response`;
  const list = listOf(operation, document);
  if (!list) return `Promise<${response}>`;
  return `PagePromise<${response}${list.field && `[${literal(list.field)}]`}[number]>`;
}

interface ListFacts {
  readonly field: string;
  readonly page: 'cursor' | 'after' | 'link' | undefined;
}

/** A method gives a list if it is called so, or if its response has a cursor. */
function listOf(operation: SdkOperation, document: ApiDocument): ListFacts | undefined {
  const schema = resolve(successOf(operation).schema, document);
  const parameters = new Set(operation.parameters?.map(({ name }) => name));
  if (schema.type === 'array') return { field: '', page: parameters.has('cursor') ? 'link' : undefined };
  const isPage = schema.properties?.['next_cursor'] !== undefined;
  if (!isPage && !operation.name.endsWith('.list')) return undefined;
  const page = !isPage ? undefined : parameters.has('after') ? 'after' : 'cursor';
  return { field: onlyArray(operation, schema, document), page };
}

function onlyArray({ operationId }: DescribedOperation, { properties = {} }: Schema, document: ApiDocument): string {
  const arrays = Object.entries(properties).filter(([, schema]) => resolve(schema, document).type === 'array');
  if (arrays.length !== 1) throw new Error(`${operationId} gives a list, but not with one array`);
  return arrays[0]![0];
}

function givesOf(operation: SdkOperation): 'text' | 'nothing' | undefined {
  const { mediaType } = successOf(operation);
  if (mediaType === undefined) return 'nothing';
  return mediaType.includes('json') ? undefined : 'text';
}

/** The media type of a body that is not JSON; the only bodies of any type are those of contacts that are imported. */
function takesOf({ requestBody }: DescribedOperation): string | undefined {
  const mediaTypes = Object.keys(requestBody?.content ?? {});
  if (mediaTypes.length === 0 || mediaTypes.includes('application/json')) return undefined;
  return mediaTypes[0] === '*/*' ? 'text/csv' : mediaTypes[0];
}

function isKeyed({ parameters = [] }: DescribedOperation): boolean {
  return parameters.some(({ in: where, name }) => where === 'header' && name === 'idempotency-key');
}

function camelCase(name: string): string {
  return name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

function literal(value: unknown): string {
  return typeof value === 'string' ? `'${value.replaceAll("'", "\\'")}'` : String(value);
}
