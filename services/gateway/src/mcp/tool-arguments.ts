import type { Endpoint, EndpointTool, FieldProblems } from '@parley/http';
import { z } from 'zod';
import { argumentsSchema, type JsonSchema } from './json-schema.ts';

export const LIST_LIMIT_MAX = 50;

/** Longer than any id or phone number; what a URL could not carry names nothing. */
const PARAMETER_LENGTH_MAX = 512;

const listArguments = {
  limit: z.int().min(1).max(LIST_LIMIT_MAX).optional(),
  cursor: z.string().max(4096).optional().describe('`next_cursor` of the page before'),
};

/** Deeper than anything a tool takes, as in the bodies of REST; deeper values can end what walks through them. */
const DEPTH_MAX = 32;

export function isTooDeep(value: unknown, levels = DEPTH_MAX): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((one) => isTooDeep(one, levels - 1));
}

type Part = 'params' | 'query' | 'body';

interface Argument {
  readonly name: string;
  readonly part: Part;
  /** The name of the parameter in the endpoint. */
  readonly field: string;
}

/** The arguments of a tool, and their conversion to the input of its endpoint. */
export interface ToolArguments<Context> {
  readonly schema: JsonSchema;
  /** The endpoint's input, or the problems of arguments that cannot be mapped to it. */
  read(given: Readonly<Record<string, unknown>>, context: Context): ToolInput | { readonly problems: FieldProblems };
  /** The tool's name of a field of the endpoint: `phone_numbers[1]` by its first part. */
  nameOf(fieldPath: string): string;
}

export interface ToolInput {
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly body: unknown;
  readonly limit: number | undefined;
  readonly cursor: string | undefined;
}

export function toolArguments<Context>(
  endpoint: Endpoint<Context>,
  tool: EndpointTool<Context>,
): ToolArguments<Context> {
  const { rename = {}, omit = [], describe = {}, defaults = {}, fixed = {} } = tool;
  const shape: Record<string, z.ZodType> = {};
  const mapped: Argument[] = [];
  const add = (part: Part, field: string, schema: z.ZodType) => {
    if (omit.includes(field) || Object.hasOwn(fixed, field)) return;
    const name = rename[field] ?? field;
    shape[name] = describe[name] ?? schema;
    mapped.push({ name, part, field });
  };
  for (const [, field = ''] of endpoint.path.matchAll(/:(\w+)/g))
    add('params', field, Object.hasOwn(defaults, field) ? z.string().optional() : z.string());
  const isList = tool.list !== undefined;
  for (const [field, schema] of Object.entries(endpoint.query?.shape ?? {}))
    if (!isList || !Object.hasOwn(listArguments, field)) add('query', field, schema as z.ZodType);
  const body = endpoint.body instanceof z.ZodOptional ? endpoint.body.unwrap() : endpoint.body;
  if (body instanceof z.ZodObject)
    for (const [field, schema] of Object.entries(body.shape)) add('body', field, schema as z.ZodType);
  const schema = argumentsSchema(z.object({ ...shape, ...(isList && listArguments) }));
  const hasBody = body !== undefined;

  return {
    schema,
    read(given, context) {
      const problems: Record<string, string[]> = {};
      const params: Record<string, string> = {};
      const query = new URLSearchParams();
      const fields: Record<string, unknown> = { ...fixed };
      for (const { name, part, field } of mapped) {
        const value = Object.hasOwn(given, name) ? given[name] : undefined;
        if (part === 'body') {
          if (value !== undefined) fields[field] = value;
        } else if (part === 'query') {
          if (value === undefined) continue;
          const problem = typeProblem(schema.properties?.[name], value);
          if (problem) problems[name] = [problem];
          else query.set(field, String(value));
        } else {
          const text = value ?? defaults[field]?.(context);
          if (text === undefined) problems[name] = ['is required'];
          else if (typeof text !== 'string') problems[name] = ['must be a string'];
          else params[field] = text.length > PARAMETER_LENGTH_MAX || !text.isWellFormed() ? '\0' : text;
        }
      }
      const page = readPage(isList ? given : {}, problems);
      if (Object.keys(problems).length > 0) return { problems };
      return { params, query, body: hasBody ? fields : undefined, limit: page.limit, cursor: page.cursor };
    },
    nameOf(path) {
      const [root = ''] = /^[^.[]*/.exec(path) ?? [];
      return Object.hasOwn(rename, root) ? rename[root] + path.slice(root.length) : path;
    },
  };
}

function readPage(given: Readonly<Record<string, unknown>>, problems: Record<string, string[]>) {
  const { limit, cursor } = given;
  if (limit !== undefined && !listArguments.limit.safeParse(limit).success)
    problems['limit'] = [`must be an integer from 1 to ${LIST_LIMIT_MAX}`];
  if (cursor !== undefined && !listArguments.cursor.safeParse(cursor).success) problems['cursor'] = ['is invalid'];
  return { limit: limit as number | undefined, cursor: cursor as string | undefined };
}

/** A query carries text only; what an argument is must be known before it becomes text. */
function typeProblem(schema: JsonSchema | undefined, value: unknown): string | undefined {
  switch (schema?.type) {
    case 'boolean':
      return typeof value === 'boolean' ? undefined : 'must be true or false';
    case 'integer':
    case 'number':
      return typeof value === 'number' ? undefined : 'must be a number';
    default:
      return typeof value === 'string' ? undefined : 'must be a string';
  }
}
