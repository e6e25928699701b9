import {
  type Endpoint,
  type EndpointResponse,
  type EndpointTool,
  errorResponse,
  type FieldProblems,
  hasRequiredRole,
  runEndpoint,
  type ToolAnnotations,
} from '@parley/http';
import { invalid, Refused } from '@parley/errors';
import { z } from 'zod';
import { reads } from '../routes/shared/tool-annotations.ts';
import { type JsonSchema, orNull, resultSchema } from './json-schema.ts';
import { readPage } from './list-page.ts';
import { readableText } from './readable-text.ts';
import { bytesOf, RESULT_BYTES_MAX, shortened } from './result-size.ts';
import { LIST_LIMIT_MAX, type ToolArguments, toolArguments, type ToolInput } from './tool-arguments.ts';

type Result = Readonly<Record<string, unknown>>;

/** The principal of a tool request, its id and the signal that aborts it. */
export interface ToolContext<Context> {
  readonly context: Context;
  readonly requestId: string;
  readonly signal: AbortSignal;
  /** Items of a list when no `limit` is given. */
  readonly itemsMax?: number;
}

/** `defect` is an internal error, which is logged. */
export type ToolOutcome =
  | { readonly ok: true; readonly result: Result; readonly text: string }
  | { readonly ok: false; readonly text: string; readonly defect?: unknown };

/** A tool as it is listed and called. */
export interface Tool<Context> {
  readonly definition: {
    readonly name: string;
    readonly title: string;
    readonly description: string;
    readonly inputSchema: JsonSchema;
    readonly outputSchema: JsonSchema;
    readonly annotations: ToolAnnotations;
  };
  readonly feature: string | undefined;
  readonly confirm: EndpointTool<Context>['confirm'];
  /** True when the role of the principal suffices; the endpoint may still refuse. */
  isAllowed(context: Context): boolean;
  readonly timeLimitMs: number | undefined;
  call(given: Readonly<Record<string, unknown>>, toolContext: ToolContext<Context>): Promise<ToolOutcome>;
}

/** Every tool that the endpoints declare, by name. */
export function toolsOf<Context>(endpoints: readonly Endpoint<Context>[]): ReadonlyMap<string, Tool<Context>> {
  const tools = new Map<string, Tool<Context>>();
  for (const endpoint of endpoints)
    for (const [name, declared] of Object.entries(endpoint.tools ?? {})) {
      if (tools.has(name)) throw new Error(`two tools have the name ${name}`);
      tools.set(name, toolOf(endpoint, name, declared));
    }
  return tools;
}

function toolOf<Context>(endpoint: Endpoint<Context>, name: string, declared: EndpointTool<Context>): Tool<Context> {
  const { title = endpoint.summary, description, feature, confirm } = declared;
  const annotations = declared.annotations ?? (endpoint.method === 'get' ? reads : undefined);
  if (!annotations) throw new Error(`the tool ${name} does not say what it changes`);
  const args = toolArguments(endpoint, declared);
  const inputSchema = args.schema;
  return {
    definition: { name, title, description, inputSchema, outputSchema: outputSchema(endpoint, declared), annotations },
    feature,
    confirm,
    isAllowed: (context) => hasRequiredRole(endpoint, context),
    timeLimitMs: endpoint.timeLimitMs,
    async call(given, toolContext) {
      try {
        const input = args.read(given, toolContext.context);
        if ('problems' in input) throw new Refused(invalid(input.problems));
        const result = shortened(await resultOf(endpoint, declared, input, toolContext));
        return { ok: true, result, text: readableText(result) };
      } catch (error) {
        return failure(error, args, toolContext.requestId);
      }
    },
  };
}

/** The body that REST answers with, its fields by the names of the arguments. */
export function failure(
  error: unknown,
  args: Pick<ToolArguments<never>, 'nameOf'> | undefined,
  requestId: string,
): ToolOutcome & { ok: false } {
  const { response, defect } = errorResponse(error, requestId);
  const body = response.body as { error: string; errors?: FieldProblems };
  const { errors } = body;
  const renamed = { ...body };
  if (errors !== undefined && args !== undefined) {
    renamed.errors = Object.fromEntries(Object.entries(errors).map(([path, message]) => [args.nameOf(path), message]));
    const [first] = Object.keys(errors);
    if (first !== undefined && body.error.startsWith(`${first} `))
      renamed.error = args.nameOf(first) + body.error.slice(first.length);
  }
  return { ok: false, text: JSON.stringify(renamed), ...(defect && { defect: error }) };
}

async function resultOf<Context>(
  endpoint: Endpoint<Context>,
  tool: EndpointTool<Context>,
  { limit, cursor, ...input }: ToolInput,
  toolContext: ToolContext<Context>,
): Promise<Result> {
  const { list } = tool;
  const run = () => runEndpoint(endpoint, { ...input, ...toolContext });
  if (list === undefined) return whole(tool, await bodyOf(await run()));
  if (!isPagedByEndpoint(endpoint)) {
    const response = await run();
    const streamed = response.kind === 'stream' ? response.list : undefined;
    const rest = whole(tool, streamed ? streamed.empty : await bodyOf(response));
    const items = streamed?.items ?? (rest[list] as unknown[]);
    const page = await readPage(items, limit ?? toolContext.itemsMax ?? LIST_LIMIT_MAX, cursor);
    return { ...rest, [list]: page.items, ...(page.nextCursor !== undefined && { next_cursor: page.nextCursor }) };
  }
  if (cursor !== undefined) input.query.set('cursor', cursor);
  if (limit !== undefined) input.query.set('limit', String(limit));
  for (;;) {
    const result = whole(tool, await bodyOf(await run()));
    const { length } = result[list] as unknown[];
    const bytes = bytesOf(result);
    if (bytes <= RESULT_BYTES_MAX || length <= 1) return result;
    // A shorter page needs its own cursor; truncating this one would lose items.
    input.query.set('limit', String(Math.max(1, Math.floor(length * Math.min(0.9, (RESULT_BYTES_MAX / bytes) * 0.9)))));
  }
}

function whole<Context>({ list, result, whenEmpty = {} }: EndpointTool<Context>, body: unknown): Result {
  if (body === undefined) return whenEmpty;
  if (result !== undefined) return result.of(body);
  return Array.isArray(body) && list !== undefined ? { [list]: body } : (body as Result);
}

/** An endpoint that answers a bare array has its next cursor in a header, which a tool does not see. */
function isPagedByEndpoint<Context>({ query, responses }: Endpoint<Context>): boolean {
  if (Object.values(responses).some((response) => response instanceof z.ZodArray)) return false;
  return query !== undefined && 'cursor' in query.shape && 'limit' in query.shape;
}

/** The JSON form, without undefined, because a client would read that. */
async function bodyOf(response: EndpointResponse): Promise<unknown> {
  switch (response.kind) {
    case 'empty':
      return undefined;
    case 'json':
      return JSON.parse(JSON.stringify(response.body));
    case 'stream': {
      const chunks: Buffer[] = [];
      for await (const chunk of response.stream) chunks.push(Buffer.from(chunk));
      return JSON.parse(Buffer.concat(chunks).toString());
    }
    case 'content':
      throw new Error('a tool whose endpoint answers no JSON');
  }
}

function outputSchema<Context>(
  { responses, path }: Endpoint<Context>,
  { list, result, whenEmpty }: EndpointTool<Context>,
): JsonSchema {
  const shape = result?.schema ?? Object.values(responses).find((response) => response instanceof z.ZodType);
  if (shape === undefined) return { type: 'object' };
  const wrapped = shape instanceof z.ZodArray && list !== undefined ? z.object({ [list]: shape }) : shape;
  if (!(wrapped instanceof z.ZodObject)) throw new Error(`a tool at ${path} answers no object`);
  const isOpen = list !== undefined && !('next_cursor' in wrapped.shape);
  const object = isOpen ? wrapped.extend({ next_cursor: z.string().nullish() }) : wrapped;
  const schema = resultSchema(object);
  return whenEmpty === undefined ? schema : orNull(schema, Object.keys(whenEmpty));
}
