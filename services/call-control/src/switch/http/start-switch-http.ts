import { timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { listenHttp } from '@parley/http/listen';
import { readTarget } from '@parley/http/target';
import type { ServiceRuntime } from '@parley/service';
import type { Logger } from '@parley/telemetry';
import type { SwitchSettings } from '../connection/switch-settings.ts';
import type { PromptAudio } from './prompt-client.ts';
import { receiveRecording, type ReceivedStatus, type SentRecording } from './receive-recording.ts';

interface SwitchHttpDeps {
  /** Switch name to its secret. */
  readonly secrets: ReadonlyMap<string, string>;
  readonly directory: (form: string) => Promise<string>;
  readonly prompts: PromptAudio;
  readonly recordings: (sent: SentRecording) => Promise<ReceivedStatus>;
  readonly log: Logger;
}

const FORM_BYTES_MAX = 64 * 1024;
const CACHE_SECS = 30 * 24 * 3600;
const STOP_LIMIT_MS = 5000;
/** Allows a recording over a slow line. */
const REQUEST_MS_MAX = 300_000;
/** One switch fetches prompts and sends recordings for many calls at once. */
const SOCKETS_PER_ADDRESS_MAX = 1000;
/** A header must stay well below what HTTP clients take. */
const PROMPT_TEXT_MAX = 800;

const PROMPT = /^\/switch\/prompts\/([0-9a-f]{64})\.wav$/;
const RECORDING = /^\/switch\/recordings\/([\w-]{1,80})\.wav$/;

/** Serves switches until the service stops: the directory of phones, prompts, and a place for recordings. */
export async function serveSwitches(
  { lifecycle, telemetry }: ServiceRuntime,
  { listen, switches }: { listen: string; switches: readonly SwitchSettings[] },
  deps: Omit<Parameters<typeof receiveRecording>[0], 'onRefused'> & {
    /** Answers `POST /switch/directory`. */
    switchDirectory: (form: string) => Promise<string>;
    prompts: PromptAudio;
  },
): Promise<void> {
  const { switchDirectory: directory, prompts } = deps;
  const refused = telemetry.meter.createCounter('parley_recordings_refused_total');
  const recordings = receiveRecording({ ...deps, onRefused: (status) => refused.add(1, { status }) });
  const secrets = new Map(switches.map(({ name, httpSecret }) => [name, httpSecret]));
  const { log } = telemetry;
  const http = await listenHttp(answerSwitches({ secrets, directory, prompts, recordings, log }), listen, {
    log,
    handlesContinue: true,
    refusesPages: true,
    requestMsMax: REQUEST_MS_MAX,
    socketsPerAddressMax: SOCKETS_PER_ADDRESS_MAX,
  });
  lifecycle.listening('switches', listen);
  lifecycle.defer('http for switches', () => http.close(STOP_LIMIT_MS));
}

function answerSwitches(deps: SwitchHttpDeps): (request: IncomingMessage, response: ServerResponse) => void {
  const { log } = deps;

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = readTarget(request.url)?.path ?? '';
    const switchName = authenticatedSwitch(request.headers.authorization, deps.secrets);
    if (switchName === undefined) {
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
      const size = length === undefined ? undefined : Number(length);
      const status = await deps.recordings({ switchName, name: recording, size, body: request });
      if (status >= 400) log.warn({ switch: switchName, recording, status }, 'a recording of a switch was refused');
      return end(response, status);
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

  return (request, response) => {
    handle(request, response).catch((error: unknown) => {
      log.error({ err: error }, 'a request of a switch failed');
      if (response.headersSent) response.destroy();
      else end(response, 500);
    });
  };
}

function end(response: ServerResponse, status: number): void {
  // A body that was not read would be taken for the next request.
  if (status >= 400) response.setHeader('Connection', 'close');
  response.writeHead(status);
  response.end();
}

/** The switch's name, from Basic credentials: its name and its secret. */
function authenticatedSwitch(header: string | undefined, secrets: ReadonlyMap<string, string>): string | undefined {
  const encoded = /^Basic ([A-Za-z0-9+/=]+)$/.exec(header ?? '')?.[1];
  if (encoded === undefined) return undefined;
  const given = Buffer.from(encoded, 'base64').toString('utf8');
  const colon = given.indexOf(':');
  const name = given.slice(0, colon);
  const expected = secrets.get(name);
  if (colon < 0 || expected === undefined) return undefined;
  const [left, right] = [Buffer.from(given.slice(colon + 1)), Buffer.from(expected)];
  return left.length === right.length && timingSafeEqual(left, right) ? name : undefined;
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
