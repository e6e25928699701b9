import type { LocalJson } from './local-stack.ts';

/** An answer, read to its end. */
export interface Reply<Body = any> {
  /** Its method and address. */
  readonly request: string;
  readonly status: number;
  readonly headers: Headers;
  readonly body: Body;
  readonly text: string;
}

/** Sends JSON and reads JSON. A string or bytes as body go out as they are. */
export async function send(
  method: string,
  url: string,
  options: { headers?: Record<string, string>; body?: unknown } = {},
): Promise<Reply> {
  const { headers, body } = options;
  const raw = typeof body === 'string' || body instanceof Uint8Array;
  const response = await fetch(url, {
    method,
    headers: { ...(body !== undefined && !raw && { 'Content-Type': 'application/json' }), ...headers },
    ...(body !== undefined && { body: raw ? (body as string) : JSON.stringify(body) }),
    redirect: 'manual',
  });
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.includes('json') && text !== '';
  return {
    request: `${method} ${url}`,
    status: response.status,
    headers: response.headers,
    body: isJson ? JSON.parse(text) : undefined,
    text,
  };
}

/** The response to a request that prepares something for a test; throws when the request has failed. */
export async function succeeded(sent: Promise<Reply>): Promise<Reply> {
  const reply = await sent;
  if (reply.status >= 300) throw new Error(`${reply.request} was answered ${reply.status} ${reply.text}`);
  return reply;
}

/** The stack that all end-to-end tests share. */
export function sharedStack(): LocalJson {
  return JSON.parse(process.env['PARLEY_E2E_STACK'] ?? 'null') as LocalJson;
}

/** The data directory of the shared stack. */
export function sharedDataDir(): string {
  return process.env['PARLEY_E2E_DATA_DIR'] ?? '';
}

/** A new company, with its owner's access to the public API. */
export interface Company {
  readonly id: string;
  readonly owner: { id: string; email: string; name: string };
  readonly apiKey: string;
  call(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Reply>;
}

/** Each of which may take ten seconds. */
const COMPANY_REPEATS_MAX = 5;
let companies = 0;

function requestCompany(stack: LocalJson, details: object): Promise<Reply> {
  companies += 1;
  const email = `owner.${process.pid}.${companies}.${Math.random().toString(36).slice(2)}@example.com`;
  return operate(stack, 'POST', '/companies', {
    name: `Company ${process.pid}-${companies}`,
    country: 'DK',
    ...details,
    owner: { name: 'Olivia Owner', email, password: 'correct horse battery staple' },
  });
}

/** A new company with its owner. */
export async function createTestCompany(
  stack: LocalJson = sharedStack(),
  details: { name?: string; country?: string; messaging_enabled?: boolean } = {},
): Promise<Company> {
  let reply = await requestCompany(stack, details);
  // A password is hashed, which may take too long while tests of sign-ins keep a slow machine busy. Each request is for another company.
  for (let repeats = 0; reply.status === 503 && repeats < COMPANY_REPEATS_MAX; repeats++)
    reply = await requestCompany(stack, details);
  await succeeded(Promise.resolve(reply));
  const apiKey: string = reply.body.api_key;
  return {
    id: reply.body.company.id,
    owner: reply.body.owner,
    apiKey,
    call: (method, path, body, headers) =>
      send(method, `${stack.base_url}/api/v1${path}`, { body, headers: { 'X-Api-Key': apiKey, ...headers } }),
  };
}

/** A call of the operator API. */
export function operate(stack: LocalJson, method: string, path: string, body?: unknown): Promise<Reply> {
  const headers = { Authorization: `Bearer ${stack.operator_token}` };
  return send(method, `${stack.operator_url}/operator/v1${path}`, { body, headers });
}

/** A call of the sandbox. */
export function sandbox(stack: LocalJson, method: string, path: string, body?: unknown): Promise<Reply> {
  return send(method, `${stack.sandbox_url}${path}`, { body });
}

/** Moves the clock of a stack forward; what is due by then has been done. */
export async function advanceClock(stack: LocalJson, seconds: number): Promise<void> {
  requireOwn(stack);
  await succeeded(sandbox(stack, 'POST', '/clock/advance', { seconds }));
}

/** Back to real time. */
export async function resetClock(stack: LocalJson): Promise<void> {
  await succeeded(sandbox(stack, 'DELETE', '/clock'));
}

/** Breaks simulated external systems of a stack. */
export async function setFaults(stack: LocalJson, faults: object): Promise<void> {
  requireOwn(stack);
  await succeeded(sandbox(stack, 'PUT', '/faults', faults));
}

export async function clearFaults(stack: LocalJson): Promise<void> {
  await succeeded(sandbox(stack, 'DELETE', '/faults'));
}

/** The clock and the faults are those of every company: other tests use the shared stack at the same time. */
function requireOwn(stack: LocalJson): void {
  if (stack.sandbox_url === (sharedStack() as LocalJson | null)?.sandbox_url)
    throw new Error('a test that moves the clock or sets faults needs a stack of its own: see e2e/README.md');
}
