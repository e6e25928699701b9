import { ServerError } from './errors.ts';
import { endlessList, PagePromise, type ReadPage } from './pages.ts';
import type { ApiRequest, ApiResponse, QueryValue, RequestOptions } from './transport/transport.ts';

/** What the generated table says about a method. */
export interface Operation {
  /** `GET /contacts/{id}` */
  readonly route: string;
  /** It takes neither a body nor a query. */
  readonly bare?: true;
  /** The field of the response that has the list; empty when the response is the list. */
  readonly list?: string;
  /** How the next page is found: a field of the body for the parameter of this name, or the header `Link`. */
  readonly page?: 'cursor' | 'after' | 'link';
  /** It takes an idempotency key. */
  readonly keyed?: true;
  /** The response has another form than JSON, or no body at all. */
  readonly gives?: 'text' | 'nothing';
  /** The media type of a body that is not JSON. */
  readonly takes?: string;
}

type Send = (request: ApiRequest) => Promise<ApiResponse>;
type Fields = Readonly<Record<string, unknown>>;
type Method = (...args: unknown[]) => unknown;

const PREFIX = '/api/v1';
/** `GET /contacts` gives all contacts at once without it, and with a query the first fifty. */
const LINKED_PAGE_SIZE = 100;

/** Methods as a tree, made from a table of them: `businessNumbers.closures.list`. */
export function bindOperations(operations: Readonly<Record<string, Operation>>, send: Send): object {
  const tree: Record<string, unknown> = {};
  for (const [name, operation] of Object.entries(operations)) {
    const path = name.split('.');
    const method = path.pop()!;
    const resource = path.reduce<Record<string, unknown>>(
      (parent, part) => (parent[part] ??= {}) as Record<string, unknown>,
      tree,
    );
    resource[method] = bindOperation(operation, send);
  }
  return tree;
}

function bindOperation(operation: Operation, send: Send): Method {
  const [verb = '', template = ''] = operation.route.split(' ');
  const parameters = [...template.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);
  const takesBody = ['POST', 'PUT', 'PATCH'].includes(verb);
  return (...args) => {
    const path = pathOf(template, parameters, args);
    const given = args.slice(parameters.length);
    const [input, options = {}] = (operation.bare ? [undefined, ...given] : given) as [Fields?, RequestOptions?];
    const request: ApiRequest = {
      method: verb,
      path: `${PREFIX}${path}`,
      ...options,
      ...(operation.takes !== undefined && { headers: { 'Content-Type': operation.takes, ...options.headers } }),
      ...(takesBody ? { body: input } : { query: input as Record<string, QueryValue> | undefined }),
      ...(operation.keyed && idempotency(input, options)),
      accept: operation.gives === 'text' ? 'text' : operation.gives === 'nothing' ? 'any' : 'json',
    };
    if (operation.list !== undefined) return new PagePromise((cursor) => readPage(operation, request, cursor, send));
    return send(request).then(({ body }) => (operation.gives === 'nothing' ? undefined : body));
  };
}

function pathOf(template: string, parameters: readonly string[], args: readonly unknown[]): string {
  return parameters.reduce((path, name, index) => {
    const value = args[index];
    // An empty value, or dots, would make it another path.
    if (typeof value !== 'string' || /^\.{0,2}$/.test(value)) throw new TypeError(`${name} is not an id`);
    return path.replace(`{${name}}`, () => encodeURIComponent(value));
  }, template);
}

/** Every page of the list at a path: as the table says or, for a list that it does not have, by `next_cursor`. */
export async function* readPages<Body, Options extends { readonly query?: ApiRequest['query'] }>(
  operations: Readonly<Record<string, Operation>>,
  path: string,
  options: Options,
  request: (options: Options) => Promise<ApiResponse<Body>>,
): AsyncGenerator<ApiResponse<Body>, void, undefined> {
  const kind = Object.values(operations).find(({ route }) => isRouteOf(route, path))?.page ?? 'cursor';
  let query = firstPage(options, kind).query;
  for (let cursor: string | null = null; ;) {
    const response = await request({ ...options, query });
    yield response;
    const { nextCursor, hasMore } = placeOfNext(response, kind);
    if (!hasMore || nextCursor === null) return;
    if (nextCursor === cursor) throw endlessList();
    cursor = nextCursor;
    query = nextPage(options.query, kind, cursor);
  }
}

function isRouteOf(route: string, path: string): boolean {
  const [verb, template = ''] = route.split(' ');
  const [expected, given] = [template.split('/'), path.split('/')];
  return (
    verb === 'GET' &&
    expected.length === given.length &&
    expected.every((part, index) => part.startsWith('{') || part === given[index])
  );
}

/** The key is made here, once: all retries have the same. */
function idempotency(input: Fields | undefined, { idempotencyKey }: RequestOptions): Partial<ApiRequest> {
  if (idempotencyKey === undefined && input?.['idempotency_key'] !== undefined) return { repeatable: true };
  return { idempotencyKey: idempotencyKey ?? newIdempotencyKey() };
}

/** `crypto.randomUUID` is missing on pages without TLS. */
function newIdempotencyKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

async function readPage(
  { list = '', page }: Operation,
  request: ApiRequest,
  cursor: string | undefined,
  send: Send,
): Promise<ReadPage<unknown>> {
  const { query } = request;
  const response = await send(
    cursor === undefined ? firstPage(request, page) : { ...request, query: nextPage(query, page, cursor) },
  );
  const { body } = response;
  const fields = body as Fields;
  const data = list === '' ? fields : fields[list];
  if (!Array.isArray(data)) throw new ServerError(`the response has no list${list && ` ${list}`}`);
  return { data, ...placeOfNext(response, page), body };
}

function placeOfNext(
  { body, headers }: ApiResponse,
  page: Operation['page'],
): { readonly nextCursor: string | null; readonly hasMore: boolean } {
  const fields = (typeof body === 'object' && body !== null ? body : {}) as Fields;
  const next = page === 'link' ? linkedCursor(headers.get('link')) : fields['next_cursor'];
  const nextCursor = typeof next === 'string' ? next : null;
  const hasMore = typeof fields['has_more'] === 'boolean' ? fields['has_more'] : nextCursor !== null;
  return { nextCursor, hasMore };
}

function firstPage<Request extends { readonly query?: ApiRequest['query'] }>(
  request: Request,
  page: Operation['page'],
): Request {
  return page === 'link' ? { ...request, query: { limit: LINKED_PAGE_SIZE, ...request.query } } : request;
}

function nextPage(
  query: ApiRequest['query'],
  page: Operation['page'],
  cursor: string,
): Readonly<Record<string, QueryValue>> {
  if (page === 'link') return { limit: LINKED_PAGE_SIZE, ...query, cursor };
  // A list of events begins at a time or after a cursor.
  return page === 'after' ? { ...query, from: undefined, after: cursor } : { ...query, cursor };
}

/** The parameter `cursor` of the address of the next page (RFC 8288); the address itself is not used. */
function linkedCursor(link: string | null): string | null {
  const [, address] = /<([^>]*)>\s*;\s*rel="?next"?/.exec(link ?? '') ?? [];
  return address === undefined ? null : new URLSearchParams(address.slice(address.indexOf('?') + 1)).get('cursor');
}
