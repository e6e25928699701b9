/** A request as `fetch` was called with it. */
export interface SentRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Headers;
  readonly body: string | undefined;
}

/** What a request is answered with; a function gets the signal of the request. */
export type Scripted = Response | Error | ((signal: AbortSignal) => Promise<Response>);

/** A `fetch` that gives the next response or failure, the last one again and again, and keeps what it was asked. */
export function scriptedFetch(...script: Scripted[]) {
  const sent: SentRequest[] = [];
  const fetch = (async (url: string, init: RequestInit = {}) => {
    const { method = 'GET', headers, body } = init;
    const next = script[Math.min(sent.length, script.length - 1)]!;
    sent.push({ method, url, headers: new Headers(headers), body: body?.toString() });
    if (next instanceof Error) throw next;
    return typeof next === 'function' ? next(init.signal!) : next.clone();
  }) as typeof globalThis.fetch;
  return { fetch, sent };
}

export function jsonResponse(body: unknown, status = 200, headers: Record<string, string> = {}): Response {
  return new Response(JSON.stringify(body), { status, headers: { 'Content-Type': 'application/json', ...headers } });
}

export function emptyResponse(status: number, headers: Record<string, string> = {}): Response {
  return new Response(null, { status, headers });
}

/** As `fetch` of Node.js fails. */
export function networkError(code: string): Error {
  return new TypeError('fetch failed', { cause: Object.assign(new Error(`${code} at 192.0.2.1`), { code }) });
}
