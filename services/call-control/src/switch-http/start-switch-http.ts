import { timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import { listenHttp } from '@parley/http/listen';
import { readTarget } from '@parley/http/target';
import type { Logger } from '@parley/telemetry';
import type { PromptAudio } from './prompt-client.ts';
import type { ReceivedStatus } from './receive-recording.ts';

export interface SwitchHttpDeps {
  /** `host:port`. */
  readonly listen: string;
  /** Switch name to its secret. */
  readonly secrets: ReadonlyMap<string, string>;
  readonly directory: (form: string) => Promise<string>;
  readonly prompts: PromptAudio;
  readonly recordings: (name: string, size: number | undefined, body: Readable) => Promise<ReceivedStatus>;
  readonly log: Logger;
}

/** What call-control serves to switches. */
export interface SwitchHttp {
  readonly port: number;
  stop(): Promise<void>;
}

const FORM_BYTES_MAX = 64 * 1024;
const CACHE_SECS = 30 * 24 * 3600;
const STOP_LIMIT_MS = 5000;
/** For a recording over a slow line. */
const REQUEST_MS_MAX = 300_000;
/** Of one switch, which fetches prompts and sends recordings for many calls at once. */
const SOCKETS_PER_ADDRESS_MAX = 1000;
/** A header must stay well below what HTTP clients take. */
const PROMPT_TEXT_MAX = 800;

const PROMPT = /^\/switch\/prompts\/([0-9a-f]{64})\.wav$/;
const RECORDING = /^\/switch\/recordings\/([\w-]{1,80})\.wav$/;

/** Serves switches: the directory of phones, prompts, and a place for recordings. */
export async function startSwitchHttp(deps: SwitchHttpDeps): Promise<SwitchHttp> {
  const { listen, log } = deps;

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = readTarget(request.url)?.path ?? '';
    if (!isAuthorized(request.headers.authorization, deps.secrets)) {
      response.setHeader('WWW-Authenticate', 'Basic realm="switch"');
      return end(response, 401);
    }
    const [prompt, recording] = [PROMPT.exec(path)?.[1], RECORDING.exec(path)?.[1]];
    if (request.method === 'POST' && path === '/switch/directory') return answerDirectory(request, response);
    if ((request.method === 'GET' || request.method === 'HEAD') && prompt)
      return answerPrompt(prompt, request, response);
    if (request.method === 'PUT' && recording) {
      // A refusal is sent before the body is read.
      if (request.headers.expect !== undefined) response.writeContinue();
      const length = request.headers['content-length'];
      return end(
        response,
        await deps.recordings(recording, length === undefined ? undefined : Number(length), request),
      );
    }
    end(response, 404);
  }

  async function answerDirectory(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const form = await readText(request);
    if (form === undefined) return end(response, 413);
    response.writeHead(200, { 'Content-Type': 'text/xml' });
    response.end(await deps.directory(form));
  }

  async function answerPrompt(hash: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const prompt = await deps.prompts.read(hash);
    if (!prompt) return end(response, 404);
    const { audio, text } = prompt;
    response.writeHead(200, {
      'Content-Type': 'audio/wav',
      'Content-Length': String(audio.length),
      'Cache-Control': `private, max-age=${CACHE_SECS}, immutable`,
      // For a switch that plays no audio, such as the sandbox's.
      'X-Prompt-Text': encodeURIComponent(text.slice(0, PROMPT_TEXT_MAX).toWellFormed()),
    });
    response.end(request.method === 'HEAD' ? undefined : audio);
  }

  const answer = (request: IncomingMessage, response: ServerResponse) => {
    handle(request, response).catch((error: unknown) => {
      log.error({ err: error }, 'a request of a switch failed');
      if (response.headersSent) response.destroy();
      else end(response, 500);
    });
  };
  const http = await listenHttp(answer, listen, {
    log,
    handlesContinue: true,
    refusesPages: true,
    requestMsMax: REQUEST_MS_MAX,
    socketsPerAddressMax: SOCKETS_PER_ADDRESS_MAX,
  });
  return { port: http.port, stop: () => http.close(STOP_LIMIT_MS) };
}

function end(response: ServerResponse, status: number): void {
  // A body that was not read would be taken for the next request.
  if (status >= 400) response.setHeader('Connection', 'close');
  response.writeHead(status);
  response.end();
}

/** Basic credentials: the switch's name and its secret. */
function isAuthorized(header: string | undefined, secrets: ReadonlyMap<string, string>): boolean {
  const encoded = /^Basic ([A-Za-z0-9+/=]+)$/.exec(header ?? '')?.[1];
  if (encoded === undefined) return false;
  const given = Buffer.from(encoded, 'base64').toString('utf8');
  const colon = given.indexOf(':');
  const expected = secrets.get(given.slice(0, colon));
  if (colon < 0 || expected === undefined) return false;
  const [left, right] = [Buffer.from(given.slice(colon + 1)), Buffer.from(expected)];
  return left.length === right.length && timingSafeEqual(left, right);
}

async function readText(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > FORM_BYTES_MAX) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
