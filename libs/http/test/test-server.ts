import type { RequestListener } from 'node:http';
import { connect } from 'node:net';
import { type ApiOptions, createApi } from '../src/endpoints/api.ts';
import { createApp } from '../src/server/app.ts';
import { listenHttp } from '../src/server/listen.ts';

/** A line a test log has taken. */
export interface LogLine {
  readonly level: 'error' | 'warn' | 'debug';
  readonly message: string;
  readonly fields: Record<string, unknown>;
}

/** A log that records its lines. */
export function testLog() {
  const lines: LogLine[] = [];
  const take = (level: LogLine['level']) => (fields: object, message: string) =>
    void lines.push({ level, message, fields: fields as Record<string, unknown> });
  return { lines, error: take('error'), warn: take('warn'), debug: take('debug') };
}

/** Serves a handler on a free port. */
export async function serveHandler(handle: RequestListener) {
  const listening = await listenHttp(handle, '127.0.0.1:0');
  return { url: `http://${listening.address}`, port: listening.port, close: () => listening.close(1_000) };
}

/** Serves an API on a free port; its responses are checked against their declarations. */
export async function serveApi<Context = undefined>(options: ApiOptions<Context>) {
  const log = testLog();
  const api = createApi<Context>({ checkResponses: true, ...options });
  return { ...(await serveHandler(createApp({ apis: [api], log, observe: options.observe }))), log, api };
}

/** Sends bytes as they are and returns everything that came until the other side closed. */
export function sendRaw(port: number, ...pieces: (string | Uint8Array)[]): Promise<string> {
  return new Promise((resolve, reject) => {
    let received = '';
    const socket = connect(port, '127.0.0.1', () => pieces.forEach((piece) => socket.write(piece)));
    socket.setEncoding('utf8');
    socket.on('data', (text) => (received += text));
    socket.on('close', () => resolve(received));
    socket.on('error', reject);
  });
}

/** Resolves once `condition` holds; rejects when it has not within five seconds. */
export async function until(condition: () => boolean): Promise<void> {
  const deadline = performance.now() + 20_000;
  while (!condition()) {
    if (performance.now() > deadline) throw new Error('the condition never held');
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
