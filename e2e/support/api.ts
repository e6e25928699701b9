import type { LocalJson } from './local-stack.ts';

/** An answer, read to its end. */
export interface Reply<Body = any> {
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
  return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : undefined, text };
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

let founded = 0;

export async function createTestCompany(
  stack: LocalJson = sharedStack(),
  details: { country?: string; messaging_enabled?: boolean } = {},
): Promise<Company> {
  founded += 1;
  const name = `Company ${process.pid}-${founded}`;
  const email = `owner.${process.pid}.${founded}.${Math.random().toString(36).slice(2)}@example.com`;
  const reply = await operate(stack, 'POST', '/companies', {
    name,
    country: 'DK',
    ...details,
    owner: { name: 'Olivia Owner', email, password: 'correct horse battery staple' },
  });
  if (reply.status !== 201) throw new Error(`no company: ${reply.status} ${reply.text}`);
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
