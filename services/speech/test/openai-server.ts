import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { writeWav } from '@parley/audio';

/** An OpenAI-compatible API with fixed responses. */
export interface OpenAiServer {
  /** The address to configure in the service. */
  readonly url: string;
  readonly requests: { path: string; authorization: string | undefined; body: Buffer; type: string | undefined }[];
  /** The response instead of 200. */
  failure: { status: number; headers?: Record<string, string> } | undefined;
  stop(): void;
}

/** A second of a tone at 24 kHz, as such APIs return it. */
const speech = writeWav(
  [Int16Array.from({ length: 24_000 }, (_, i) => 8000 * Math.sin((2 * Math.PI * 440 * i) / 24_000))],
  24_000,
);

const answers: Record<string, (body: string) => unknown> = {
  '/v1/audio/transcriptions': () => ({
    text: ' Hello there. How are you?',
    segments: [
      { start: 0.5, end: 1.25, text: ' Hello there.' },
      { start: 1.5, end: 2, text: ' How are you?' },
    ],
  }),
  '/v1/chat/completions': () => ({ choices: [{ message: { role: 'assistant', content: ' A refund was agreed. ' } }] }),
  '/v1/embeddings': (body) => {
    const { input } = JSON.parse(body) as { input: string[] };
    // Out of order and longer than one, both of which the protocol allows.
    return {
      data: input.map((text, index) => ({ index, embedding: [3 * text.length, 4 * text.length] })).toReversed(),
    };
  },
};

export async function startOpenAiServer(): Promise<OpenAiServer> {
  const server = createServer(async (request, response) => {
    const body = await bodyOf(request);
    const path = request.url ?? '';
    const { authorization, 'content-type': type } = request.headers;
    fake.requests.push({ path, authorization, body, type });
    if (fake.failure) {
      response.writeHead(fake.failure.status, fake.failure.headers).end('{"error":{"message":"overloaded"}}');
    } else if (path === '/v1/audio/speech') {
      response.writeHead(200, { 'Content-Type': 'audio/wav' }).end(speech);
    } else {
      response
        .writeHead(200, { 'Content-Type': 'application/json' })
        .end(JSON.stringify(answers[path]?.(body.toString())));
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const fake: OpenAiServer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests: [],
    failure: undefined,
    stop() {
      server.closeAllConnections();
      server.close();
    },
  };
  return fake;
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
