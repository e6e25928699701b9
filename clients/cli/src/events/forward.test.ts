import { createServer, type IncomingHttpHeaders, type RequestListener, type Server } from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, it } from '@jest/globals';
import type { RecordedEvent } from '@parley/sdk';
import { verifyWebhook } from '@parley/sdk/webhooks';
import { newSigningSecret, readSigningSecret } from '../profiles/signing-secret.ts';
import { deliveryBody, forward, readForwardUrl } from './forward.ts';
import { subjectOf } from './subject.ts';

const SECRET = newSigningSecret();
const EVENT = {
  id: 'evt_1',
  event: 'contact.created',
  timestamp: '2026-11-19T10:00:00.000Z',
  data: { contact: { id: 'con_1', name: 'Ane ☎' } },
} as unknown as RecordedEvent;
const noSignal = new AbortController().signal;

const servers: Server[] = [];
afterEach(() => servers.splice(0).forEach((server) => (server.closeAllConnections(), server.close())));

async function receiver(listener: RequestListener): Promise<URL> {
  const server = createServer(listener);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks?x=1`);
}

describe('a forwarded event', () => {
  it('a forwarded event is a delivery that its receiver can verify', async () => {
    const received: { url: string | undefined; headers: IncomingHttpHeaders; body: string }[] = [];
    const url = await receiver(async (request, response) => {
      received.push({ url: request.url, headers: request.headers, body: await text(request) });
      response.writeHead(204).end();
    });
    expect(await forward(EVENT, url, SECRET, noSignal)).toMatchObject({ statusCode: 204, error: null });
    const [{ headers, body, url: path }] = received as [(typeof received)[0]];
    expect(await verifyWebhook(body, headers, SECRET)).toEqual(JSON.parse(body));
    expect([path, body]).toEqual(['/hooks?x=1', deliveryBody(EVENT)]);
    expect(Object.keys(JSON.parse(body) as object)).toEqual(['event', 'timestamp', 'data']);
    expect(headers['parley-event-id']).toBe('evt_1');
    // The same event has the same id, whenever it is forwarded.
    await forward(EVENT, url, SECRET, noSignal);
    expect(received[1]!.headers['webhook-id']).toBe(headers['webhook-id']);
  });

  it.each([
    [500, { statusCode: 500, error: 'the receiver answered 500' }],
    [307, { statusCode: 307, error: 'the receiver answered 307' }],
  ])('a forwarded event that is answered with %i has failed', async (status, expected) => {
    const url = await receiver((_request, response) => response.writeHead(status, { Location: '/elsewhere' }).end());
    expect(await forward(EVENT, url, SECRET, noSignal)).toMatchObject(expected);
  });

  it('a forwarded event takes the status of an answer that does not end', async () => {
    const url = await receiver((_request, response) => {
      response.writeHead(200);
      const write = () => void (response.writable && response.write('x'.repeat(100_000), write));
      write();
    });
    expect(await forward(EVENT, url, SECRET, noSignal)).toMatchObject({ statusCode: 200 });
  });

  it('a forwarded event has failed where nothing listens, and where no HTTP is spoken', async () => {
    const url = await receiver(() => undefined);
    await new Promise((resolve) => servers.pop()!.close(resolve));
    expect(await forward(EVENT, url, SECRET, noSignal)).toMatchObject({
      statusCode: null,
      error: 'nothing listens there',
    });
    const tcp = createTcpServer((socket) => socket.on('error', () => undefined).end('220 mail.example\r\n'));
    await new Promise<void>((resolve) => tcp.listen(0, '127.0.0.1', resolve));
    const other = new URL(`http://127.0.0.1:${(tcp.address() as AddressInfo).port}/`);
    expect((await forward(EVENT, other, SECRET, noSignal)).statusCode).toBeNull();
    tcp.close();
  });

  it('a forwarded event with an id that no header can have has failed', async () => {
    const url = await receiver((_request, response) => response.end());
    const event = { ...EVENT, id: 'evt_1\r\nX-Other: 1' } as RecordedEvent;
    expect(await forward(event, url, SECRET, noSignal)).toMatchObject({ statusCode: null });
  });

  it('a forwarded event is given up when the user ends the run', async () => {
    const stop = new AbortController();
    const url = await receiver(() => stop.abort(new Error('ended')));
    await expect(forward(EVENT, url, SECRET, stop.signal)).rejects.toThrow('ended');
  });
});

describe('what the user gives', () => {
  it.each(['localhost:3000', 'ftp://x', '3000', ''])('what the user gives as an address is not %j', (text) => {
    expect(() => readForwardUrl(text, '--to')).toThrow('--to is no address');
  });

  it('what the user gives as a secret is in no error', () => {
    expect(readSigningSecret(SECRET)).toBe(SECRET);
    expect(() => readSigningSecret('topsecret')).toThrow(/^(?!.*topsecret)/);
  });
});

describe('what an event is about', () => {
  it.each([
    [{ contact: { name: 'Ane', phone: '+4520304050' } }, 'Ane +4520304050'],
    [{ id: 'cal_1', from: '+4520304050', to: '+4570112233' }, '+4520304050 → +4570112233'],
    [{ main_number: { number: '+4570112233' } }, '+4570112233'],
    [{ audit_event: { type: 'employee.created' } }, 'employee.created'],
    [{ unknown: 1 }, ''],
    [null, ''],
  ])('what an event is about with %j is %j', (data, expected) => {
    expect(subjectOf({ data } as unknown as RecordedEvent)).toBe(expected);
  });
});
