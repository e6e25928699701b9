import type { Request } from 'express';
import type { Refusal } from '@parley/errors';
import { type Role, hasRole } from '@parley/actor';
import type { z } from 'zod';
import type { EndpointTool } from './endpoint-tool.ts';
import type { JsonLimits } from '../input/body-parser.ts';
import type {
  EndpointResponse,
  ContentResponse,
  EmptyResponse,
  JsonResponse,
  StreamResponse,
} from '../responses/response.ts';
import { type HttpError, codeError } from '../responses/error-responses.ts';
import type { FieldProblems, InputProblem } from '../input/validation.ts';

/** The principal of an employee's request. */
export interface RoleHolder {
  readonly role: Role;
}

/**
 * The lowest role that can succeed; `none` for an endpoint that is not for employees' credentials: one for the public or the
 * operator, or a page, which authorizes its visitor itself.
 */
export type RequiredRole<Context> = [Context] extends [RoleHolder] ? Role : 'none';

/** The methods an endpoint may have; HEAD comes with GET. */
export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

/** A schema for JSON, a media type for anything else, null for no body. */
export type ResponseShape = z.ZodType | string | null;

/** Success status to shape. */
export type ResponseShapes = Readonly<Record<number, ResponseShape>>;

/** A refusal whose body is not the usual one, where a standard defines it. */
export interface ErrorShape {
  readonly description: string;
  readonly body: z.ZodType;
}

/**
 * A body is JSON or a form that fits a schema, or taken as it is, of any media type: `'bytes'` when it has been read, `'stream'` while it
 * is being read, so that a handler can refuse before.
 */
export type BodyShape = z.ZodType | 'bytes' | 'stream';

/** The body that a handler gets. */
type BodyOf<Body extends BodyShape | undefined> = Body extends z.ZodType
  ? z.output<Body>
  : Body extends 'bytes'
    ? Buffer
    : Body extends 'stream'
      ? AsyncIterable<Buffer>
      : undefined;

/** The responses that the declaration allows a handler to return. */
export type ResponseOf<Responses extends ResponseShapes> = {
  [Status in keyof Responses & number]: Responses[Status] extends z.ZodType
    ? JsonResponse<Status, z.output<Responses[Status]>> | StreamResponse<Status>
    : Responses[Status] extends string
      ? ContentResponse<Status> | StreamResponse<Status>
      : EmptyResponse<Status>;
}[keyof Responses & number];

/** A method and a path below the API's prefix: `PATCH /contacts/:id`. */
type Route = `${Uppercase<Method>} ${string}`;

/** `'id'` for `/contacts/:id`. */
export type PathParameter<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | PathParameter<`/${Rest}`>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never;

/** The input of a handler: every part has passed its schema. */
export interface EndpointInput<Context, Params, Query, Headers, Body> {
  readonly params: Params;
  readonly query: Query;
  readonly headers: Headers;
  readonly body: Body;
  /** The fields of a form-encoded body as they came, repeats included. */
  readonly form: URLSearchParams | undefined;
  /** The result of `authenticate`. */
  readonly context: Context;
  readonly request: Request;
  readonly requestId: string;
  /** Aborted when the client disconnects. */
  readonly signal: AbortSignal;
}

/** A body that did not pass its schema, as it came: nothing about it is known. */
interface RejectedBody {
  readonly rejectedBody: unknown;
}

/** The declaration of one endpoint, without its role. */
export interface EndpointDeclaration<
  Context,
  Path extends Route,
  Params extends z.ZodObject | undefined,
  Query extends z.ZodObject | undefined,
  Headers extends z.ZodObject | undefined,
  Body extends BodyShape | undefined,
  Responses extends ResponseShapes,
> {
  /**
   * For endpoints where the role alone does not decide, such as for one's own settings. Called before the body is read and anything
   * is looked up.
   */
  permits?(caller: Context, params: Readonly<Record<PathParameter<Path>, string>>): boolean;
  /** The same for fields that need more. `fields` is the body as it came: nothing about it is known but that it is an object. */
  permitsFields?(
    caller: Context,
    params: Readonly<Record<PathParameter<Path>, string>>,
    fields: Readonly<Record<string, unknown>>,
  ): boolean;
  readonly route: Path;
  /** The section of the API reference. */
  readonly tag?: string;
  /** A short imperative, "Update a contact"; it also gives the operation its id, `updateContact`. */
  readonly summary: string;
  readonly description?: string;
  readonly operationId?: string;
  /** The method of clients in any language that makes this request, `contacts.create`: `x-sdk-method` in the document. */
  readonly sdkMethod?: string;
  /** Only where a parameter is more than an opaque string. What does not fit is 404: it names nothing. */
  readonly params?: Params;
  /** Each parameter is one string at most. */
  readonly query?: Query;
  /** Header fields by their lower-case names. */
  readonly headers?: Headers;
  readonly body?: Body;
  /** The usual format, for the description; JSON and forms are both accepted everywhere. */
  readonly bodySentAs?: 'json' | 'form';
  /** A megabyte by default. */
  readonly bodyBytesMax?: number;
  /** Replaces the default limits of a JSON body. */
  readonly jsonLimits?: JsonLimits;
  readonly responses: Responses;
  /** Replaces the time limit of the API. */
  readonly timeLimitMs?: number;
  /** Input that the handler parses itself because it has its own error format; for the OpenAPI document. */
  readonly documents?: { readonly query?: z.ZodObject; readonly body?: z.ZodType };
  /** Statuses the handler refuses with, for the description; a text instead of a bare status names the codes. */
  readonly errors?: readonly number[] | Readonly<Record<number, string | ErrorShape>>;
  /** Another refusal for input that does not fit its schema, such as `invalid_kind`; undefined keeps the usual one. */
  readonly inputError?: (problem: InputProblem) => Refusal | HttpError | undefined;
  /**
   * Called before an invalid body is refused. It throws when the caller must not learn that there is anything to
   * send to, such as settings of a feature that is off, and may return further problems to name in the same response.
   * Without it, wrong input is refused whatever the path names.
   */
  beforeRefusing?(
    input: Pick<
      EndpointInput<
        Context,
        Params extends z.ZodObject ? z.output<Params> : Readonly<Record<PathParameter<Path>, string>>,
        undefined,
        undefined,
        undefined
      >,
      'params' | 'context'
    > &
      RejectedBody,
  ): Promise<FieldProblems | undefined>;
  /** Announces the removal: `Deprecation` (RFC 9745) and `Sunset` (RFC 8594), as ISO dates. */
  readonly deprecated?: { readonly since: string; readonly sunset?: string };
  /** The endpoint as tools of a Model Context Protocol server, by name. */
  readonly tools?: Readonly<Record<string, EndpointTool<Context>>>;
  handle(
    input: EndpointInput<
      Context,
      Params extends z.ZodObject ? z.output<Params> : Readonly<Record<PathParameter<Path>, string>>,
      Query extends z.ZodObject ? z.output<Query> : undefined,
      Headers extends z.ZodObject ? z.output<Headers> : undefined,
      BodyOf<Body>
    >,
  ): ResponseOf<Responses> | Promise<ResponseOf<Responses>>;
}

/** A declared endpoint, as an API takes it. */
export interface Endpoint<Context> extends Omit<
  EndpointDeclaration<
    Context,
    Route,
    z.ZodObject | undefined,
    z.ZodObject | undefined,
    z.ZodObject | undefined,
    BodyShape | undefined,
    ResponseShapes
  >,
  'handle' | 'beforeRefusing' | 'permits' | 'permitsFields' | 'route'
> {
  readonly role: Role | 'none';
  readonly method: Method;
  readonly path: string;
  permits?(caller: Context, params: any): boolean;
  permitsFields?(caller: Context, params: any, fields: Readonly<Record<string, unknown>>): boolean;
  // `any`: `endpoint` has checked the handlers against its own schemas, which are erased here.
  handle(input: EndpointInput<Context, any, any, any, any>): EndpointResponse | Promise<EndpointResponse>;
  beforeRefusing?(
    input: Pick<EndpointInput<Context, any, any, any, any>, 'params' | 'context'> & RejectedBody,
  ): Promise<FieldProblems | undefined>;
}

interface Declare<Context, WithRole> {
  <
    const Path extends Route,
    const Responses extends ResponseShapes,
    Params extends z.ZodObject | undefined = undefined,
    Query extends z.ZodObject | undefined = undefined,
    Headers extends z.ZodObject | undefined = undefined,
    Body extends BodyShape | undefined = undefined,
  >(
    declaration: EndpointDeclaration<Context, Path, Params, Query, Headers, Body, Responses> & WithRole,
  ): Endpoint<Context>;
}

/**
 * Declares an endpoint: `endpoint<EmployeePrincipal>()({ role: 'member', route: 'GET /contacts/:id', … })`. With a role it declares
 * endpoints that all require that one: `const operatorEndpoint = endpoint<OperatorPrincipal>('none')`.
 */
export function endpoint<Context = undefined>(): Declare<Context, { readonly role: RequiredRole<Context> }>;
export function endpoint<Context = undefined>(role: RequiredRole<Context>): Declare<Context, unknown>;
export function endpoint(common?: Role | 'none') {
  return (declaration: Omit<Endpoint<any>, 'role' | 'method' | 'path'> & { route: Route; role?: Role | 'none' }) => {
    const { route, role = common, ...declared } = declaration;
    const [method = '', path = ''] = route.split(' ');
    return { ...declared, role, method: method.toLowerCase(), path } as Endpoint<any>;
  };
}

/** Throws at the start of the program for an endpoint that does not say who may use it. */
export function assertAccessDeclared<Context>({ role, method, path }: Endpoint<Context>): void {
  if (!['none', 'member', 'admin', 'owner'].includes(role))
    throw new Error(`${method} ${path} does not declare the role it requires`);
}

/** The endpoint may still refuse a principal with this role. */
export function hasRequiredRole<Context>({ role }: Pick<Endpoint<Context>, 'role'>, caller: Context): boolean {
  return role === 'none' || hasRole((caller as Partial<RoleHolder> | undefined)?.role, role);
}

/** Refuses a caller before anything of the request but its path is read: known, unknown and foreign ids are refused alike. */
export function authorize<Context>(
  endpoint: Endpoint<Context>,
  caller: Context,
  params: Readonly<Record<string, string | string[]>>,
): void {
  if (!hasRequiredRole(endpoint, caller) || endpoint.permits?.(caller, params) === false) throw forbidden();
}

/** Refuses fields that the caller may not send, before they are validated. */
export function authorizeFields<Context>(
  endpoint: Endpoint<Context>,
  caller: Context,
  params: unknown,
  body: unknown,
): void {
  const isObject = typeof body === 'object' && body !== null && !Array.isArray(body);
  if (endpoint.permitsFields?.(caller, params, isObject ? (body as Record<string, unknown>) : {}) === false)
    throw forbidden();
}

function forbidden(): Error {
  return codeError(403, 'forbidden');
}
