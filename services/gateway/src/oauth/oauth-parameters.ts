import { z } from 'zod';

/** Longer than any value a client has reason to send; `state` is the longest. */
const VALUE_LENGTH_MAX = 4096;
// oxlint-disable-next-line no-control-regex -- control characters are what it excludes
const WITHOUT_CONTROLS = /^[^\u0000-\u001f\u007f]*$/;

/** The schema of an OAuth parameter. */
export const parameter = z.string().max(VALUE_LENGTH_MAX).regex(WITHOUT_CONTROLS);

/** A problem of the parameters of a request: an error code of RFC 6749 and its description. */
export interface ParameterProblem {
  readonly error: string;
  readonly errorDescription: string;
}

/** Parameters by name, or why they were refused. */
export type ParameterResult<Parameters> =
  | { readonly ok: true; readonly parameters: Parameters }
  | { readonly ok: false; readonly problem: ParameterProblem };

/** The error code for a parameter with a value its schema does not allow; `invalid_request` unless named here. */
const CODES: Readonly<Record<string, string>> = {
  grant_type: 'unsupported_grant_type',
  response_type: 'unsupported_response_type',
  scope: 'invalid_scope',
  resource: 'invalid_target',
};

/**
 * The value of a parameter; undefined when it is absent or empty, which mean the same (RFC 6749 section 3.1), and null when
 * it was sent more than once or is malformed.
 */
export function parameterValue(given: URLSearchParams, name: string): string | undefined | null {
  const values = given.getAll(name);
  if (values.length > 1 || !parameter.safeParse(values[0] ?? '').success) return null;
  return values[0] || undefined;
}

/**
 * Validates parameters by the schema that documents them. Of several problems the first in this order is reported: a
 * parameter that is repeated or malformed, one that is missing, one with a wrong value. Unknown parameters are ignored.
 */
export function readParameters<Schema extends z.ZodObject | z.ZodDiscriminatedUnion>(
  schema: Schema,
  given: URLSearchParams,
): ParameterResult<z.output<Schema>> {
  const names = namesIn(schema);
  const values = names.map((name) => [name, parameterValue(given, name)] as const);
  const malformed = values.find(([, value]) => value === null)?.[0];
  if (malformed !== undefined) return problem('invalid_request', `${malformed} is repeated or malformed`);
  const present = Object.fromEntries(values.filter(([, value]) => value !== undefined));
  const parsed = schema.safeParse(present);
  if (parsed.success) return { ok: true, parameters: parsed.data as z.output<Schema> };
  const { issues } = parsed.error;
  const nameOf = ({ path }: z.core.$ZodIssue) => String(path[0] ?? '');
  const missing = issues.find((issue) => !Object.hasOwn(present, nameOf(issue)));
  if (missing) return problem('invalid_request', `${nameOf(missing)} is missing`);
  const [wrong] = issues;
  const name = wrong ? nameOf(wrong) : '';
  return problem(CODES[name] ?? 'invalid_request', `${name} ${wrong?.message ?? 'is invalid'}`);
}

function namesIn(schema: z.ZodObject | z.ZodDiscriminatedUnion): string[] {
  const objects = schema instanceof z.ZodObject ? [schema] : (schema.options as z.ZodObject[]);
  return [...new Set(objects.flatMap(({ shape }) => Object.keys(shape)))];
}

function problem(error: string, errorDescription: string) {
  return { ok: false, problem: { error, errorDescription } } as const;
}

/** Full access as the employee; the only scope an app can have. RFC 6749 section 3.3: separated by spaces. */
export const scopeParameter = z
  .string()
  .regex(/^ *api( +api)* *$/, 'must be api, the only scope an app can have')
  .describe('Always `api`.')
  .transform(() => 'api' as const);

/** RFC 8707: both the API and the MCP server take any of our tokens. */
export const resourceParameter = parameter.optional().describe('The base address, or that of `/mcp` (RFC 8707).');

/** `issuer` is the address under which this service was requested. */
export function isOwnResource(resource: string | undefined, issuer: string): boolean {
  return resource === undefined || [issuer, `${issuer}/mcp`].includes(resource.replace(/\/$/, ''));
}

export const foreignResource: ParameterProblem = {
  error: 'invalid_target',
  errorDescription: 'resource is not an address of this service',
};
