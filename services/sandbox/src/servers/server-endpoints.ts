import type { IncomingMessage, ServerResponse as HttpResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { empty, type Endpoint, endpoint, HttpError, json, readTarget } from '@parley/http';
import { z } from 'zod';
import type { ScriptedServers, ServerRequest } from './scripted-servers.ts';
import { scriptFrom, serverScriptInput, type ServerResponse } from './server-script.ts';

const SCRIPT_BYTES_MAX = 8 * 1024 * 1024;
const BODY_BYTES_MAX = 1024 * 1024;

const requestJson = z.object({
  method: z.string(),
  path: z.string(),
  headers: z.record(z.string(), z.union([z.string(), z.array(z.string())])),
  body: z.json(),
  answered: z.int().nullable(),
});

/** Servers with responses that are set, to see what a client does with them. */
export function serverEndpoints({ servers }: { servers: ScriptedServers }): Endpoint<undefined>[] {
  const set = endpoint('none')({
    route: 'PUT /servers/:name',
    tag: 'Scripted server',
    summary: 'Set the responses of a server',
    body: serverScriptInput,
    bodyBytesMax: SCRIPT_BYTES_MAX,
    responses: { 204: null },
    handle({ params, body }) {
      servers.setScript(params.name, scriptFrom(body));
      return empty(204);
    },
  });

  const list = endpoint('none')({
    route: 'GET /servers/:name',
    tag: 'Scripted server',
    summary: 'List what a server was asked',
    responses: { 200: z.array(requestJson) },
    errors: [404],
    handle({ params }) {
      const requests = servers.requests(params.name);
      if (!requests) throw new HttpError(404, { error: 'not_found' });
      return json(200, requests.map(requestView));
    },
  });

  const remove = endpoint('none')({
    route: 'DELETE /servers/:name',
    tag: 'Scripted server',
    summary: 'Forget a server',
    responses: { 204: null },
    handle({ params }) {
      servers.delete(params.name);
      return empty(204);
    },
  });

  return [set, list, remove];
}

/** `/servers/<name>/…` */
const BELOW = /^\/servers\/([^/]+)(\/.*)$/;

/** Middleware: responds to every request below `/servers/:name/`, whatever its method and path, with the next response of the script. */
export function respondAsScripted(servers: ScriptedServers) {
  return (request: IncomingMessage, response: HttpResponse, next: (error?: unknown) => void): void => {
    const target = readTarget(request.url);
    const [, name, path] = BELOW.exec(target?.path ?? '') ?? [];
    if (name === undefined || path === undefined) return next();
    const pathAndQuery = target?.query ? `${path}?${target.query}` : path;
    respond(servers, { request, response, name: decoded(name), path: pathAndQuery }).then(
      (isKnown) => {
        if (!isKnown) next();
      },
      // Otherwise the client has left.
      (error: unknown) => (error instanceof HttpError ? next(error) : response.destroy()),
    );
  };
}

async function respond(
  servers: ScriptedServers,
  exchange: { request: IncomingMessage; response: HttpResponse; name: string; path: string },
): Promise<boolean> {
  const { request, response, name, path } = exchange;
  const { method = '', headers } = request;
  const found = servers.receive(name, { method, path, headers, rawBody: await readBody(request) });
  if (!found) return false;
  const left = new AbortController();
  response.once('close', () => left.abort());
  const { delayMs } = found.response;
  if (delayMs > 0) await sleep(delayMs, undefined, { signal: left.signal });
  if (found.response.cutAfterBytes === undefined) found.received.answered = found.response.status;
  write(response, found.response);
  return true;
}

function write(response: HttpResponse, { status, headers, body, cutAfterBytes }: ServerResponse): void {
  const bytes = Buffer.from(body);
  // Headers of every response of the sandbox are not part of the script.
  for (const name of response.getHeaderNames()) response.removeHeader(name);
  const hasBody = status !== 204 && status !== 304;
  const head = { ...headers, ...(hasBody && { 'Content-Length': String(bytes.length) }) };
  if (cutAfterBytes === undefined) return void response.writeHead(status, head).end(hasBody ? bytes : undefined);
  if (cutAfterBytes === 0) return void response.destroy();
  response.writeHead(status, head);
  response.write(bytes.subarray(0, cutAfterBytes), () => response.destroy());
}

async function readBody(request: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    bytes += piece.length;
    if (bytes > BODY_BYTES_MAX) throw new HttpError(413, { error: 'payload_too_large', code: 'payload_too_large' });
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString('utf8');
}

function requestView({ rawBody, headers, ...request }: ServerRequest): z.infer<typeof requestJson> {
  return { ...request, headers: headers as Record<string, string | string[]>, body: bodyOf(rawBody) };
}

/** JSON as its value, anything else as text, nothing as null. */
function bodyOf(rawBody: string): z.infer<ReturnType<typeof z.json>> {
  if (rawBody === '') return null;
  try {
    return JSON.parse(rawBody);
  } catch {
    return rawBody;
  }
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
