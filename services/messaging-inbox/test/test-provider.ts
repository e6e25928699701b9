import { generateKeyPairSync, randomUUID, sign } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A text that was submitted to the provider. */
export interface Submitted {
  readonly id: string;
  readonly from: string;
  readonly to: string;
  readonly text: string;
  readonly webhook_url: string;
  readonly authorization: string | undefined;
}

/** The provider's response to a submission. `hold`: accepts it and responds on request. */
export type Behaviour = 'ok' | 'reject' | 'error' | 'lost' | 'hold';

/** A fake Telnyx over HTTP with the responses of the test. */
export interface TestProvider {
  readonly url: string;
  /** 32 bytes in base64. */
  readonly publicKey: string;
  /** Taken, oldest first. */
  readonly submitted: Submitted[];
  /** The number of all requests, accepted or not. */
  requests: number;
  behaviour: Behaviour;
  /** Answers everything that is held. */
  release(): void;
  /** A signed callback as the gateway passes it on. */
  callback(event: object, at?: Date): { rawBody: Uint8Array; signature: string; timestamp: string };
  stop(): Promise<void>;
}

export async function startTestProvider(): Promise<TestProvider> {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const held: (() => void)[] = [];
  const server = createServer((request, response) => {
    provider.requests += 1;
    void bodyOf(request).then((body) => answer(request, response, JSON.parse(body)));
  });

  function answer(request: IncomingMessage, response: ServerResponse, body: Omit<Submitted, 'id' | 'authorization'>) {
    const reply = (status: number, json: object) =>
      response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(json));
    if (provider.behaviour === 'reject') return reply(422, { errors: [{ code: '40300' }] });
    if (provider.behaviour === 'error') return reply(500, {});
    const { behaviour } = provider;
    const id = randomUUID();
    provider.submitted.push({ ...body, id, authorization: request.headers.authorization });
    const accept = () =>
      reply(200, { data: { id, parts: 1, encoding: 'GSM-7', to: [{ phone_number: body.to, status: 'queued' }] } });
    if (behaviour === 'lost') return request.socket.destroy();
    if (behaviour === 'hold') return void held.push(accept);
    return accept();
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const provider: TestProvider = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    publicKey: publicKey.export({ type: 'spki', format: 'der' }).subarray(-32).toString('base64'),
    submitted: [],
    requests: 0,
    behaviour: 'ok',
    release: () => held.splice(0).forEach((accept) => accept()),
    callback(event, at = new Date()) {
      const rawBody = Buffer.from(JSON.stringify(event));
      const timestamp = String(Math.floor(at.getTime() / 1000));
      const signed = Buffer.concat([Buffer.from(`${timestamp}|`), rawBody]);
      return { rawBody, timestamp, signature: sign(null, signed, privateKey).toString('base64') };
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return provider;
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

/** An incoming text as Telnyx reports it. */
export function receivedEvent(text: { from: string; to: string; text: string; id?: string; mms?: true }): object {
  const { from, to, id = randomUUID(), mms } = text;
  return {
    data: {
      event_type: 'message.received',
      occurred_at: new Date().toISOString(),
      payload: {
        id,
        from: { phone_number: from },
        to: [{ phone_number: to }],
        text: text.text,
        ...(mms && { type: 'MMS', media: [] }),
        received_at: new Date(),
      },
    },
  };
}

/** A delivery report as Telnyx sends it. */
export function reportEvent(text: Submitted, status: string, code?: string): object {
  return {
    data: {
      event_type: status === 'sent' ? 'message.sent' : 'message.finalized',
      occurred_at: new Date().toISOString(),
      payload: {
        id: text.id,
        from: { phone_number: text.from },
        to: [{ phone_number: text.to, status }],
        text: text.text,
        errors: code === undefined ? [] : [{ code }],
      },
    },
  };
}
