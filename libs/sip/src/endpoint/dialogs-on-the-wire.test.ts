import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { waitUntil } from '@parley/testkit';
import { RawSip } from '../../test/raw-sip.ts';
import { header } from '../message/sip-message.ts';
import { offerAudio } from '../sdp/offer-answer.ts';
import type { CallEnd, SipCall } from './sip-call.ts';
import { type SipEndpoint, startSipEndpoint } from './sip-endpoint.ts';

let endpoint: SipEndpoint;
let calls: SipCall[];
let ends: CallEnd[];
let clients: RawSip[];

async function start(mediaTimeoutMs = 60_000): Promise<void> {
  endpoint = await startSipEndpoint({
    listen: '127.0.0.1:0',
    mediaAddress: '127.0.0.1',
    rtpPorts: { first: 42_000, last: 42_099 },
    allowedAddresses: ['127.0.0.1'],
    limits: { mediaTimeoutMs },
    onInvite: ({ user }) =>
      user === 'nobody'
        ? { refuse: 404 }
        : {
            accept: (call) => {
              calls.push(call);
              return { ended: (end) => void ends.push(end) };
            },
          },
  });
}

beforeEach(async () => {
  [calls, ends, clients] = [[], [], []];
  await start();
});
afterEach(async () => {
  for (const client of clients) client.close();
  await endpoint.stop();
});

async function client(): Promise<RawSip> {
  const opened = await RawSip.open(endpoint.address);
  clients.push(opened);
  return opened;
}

const offer = (direction = 'sendrecv') =>
  offerAudio({ address: '127.0.0.1', port: 9, version: 1 }).replace('a=sendrecv', `a=${direction}`);

/** An answered call; `to` identifies it in further requests. */
async function established(): Promise<{ sip: RawSip; to: string }> {
  const sip = await client();
  const response = await sip.response(sip.send('INVITE', `sip:res-1@${endpoint.address}`, {}, offer()));
  expect(response.status).toBe(200);
  const to = header(response, 'to');
  sip.send('ACK', `sip:${endpoint.address}`, { To: to, CSeq: '1 ACK' });
  return { sip, to };
}

describe('a dialog', () => {
  it('a dialog is held, resumed and refreshed by INVITE and UPDATE', async () => {
    const { sip, to } = await established();
    const held = await sip.response(sip.send('INVITE', 'sip:x', { To: to }, offer('sendonly')));
    expect([held.status, held.body.includes('a=recvonly')]).toEqual([200, true]);
    const resumed = await sip.response(sip.send('UPDATE', 'sip:x', { To: to }, offer()));
    expect([resumed.status, resumed.body.includes('a=sendrecv')]).toEqual([200, true]);
    const refreshed = await sip.response(sip.send('UPDATE', 'sip:x', { To: to }));
    expect([refreshed.status, refreshed.body]).toEqual([200, '']);
    const asked = await sip.response(sip.send('INVITE', 'sip:x', { To: to }));
    expect([asked.status, asked.body.includes('m=audio')]).toEqual([200, true]);
    const wrong = await sip.response(sip.send('INVITE', 'sip:x', { To: to }, 'v=0\r\n'));
    expect(wrong.status).toBe(488);
    expect(calls[0]!.hasEnded).toBe(false);
  });

  it('a dialog answers OPTIONS and INFO, and refuses what is old or unknown to it', async () => {
    const { sip, to } = await established();
    const statuses = [];
    for (const method of ['OPTIONS', 'INFO', 'REFER']) {
      statuses.push((await sip.response(sip.send(method, 'sip:x', { To: to }))).status);
    }
    expect(statuses).toEqual([200, 200, 405]);
    sip.send('UPDATE', 'sip:x', { To: to, CSeq: '1 UPDATE' });
    expect((await sip.response(1)).status).toBe(200);
    await waitUntil(() => sip.received.some((message) => 'status' in message && message.status === 500), {
      what: '500',
    });
  });

  it('a dialog is not found by another Call-ID, another tag or after its end', async () => {
    const { sip, to } = await established();
    for (const headers of [
      { 'Call-ID': 'other' },
      { From: '<sip:switch@127.0.0.1>;tag=other' },
      { To: '<sip:r@x>;tag=other' },
    ]) {
      expect((await sip.response(sip.send('BYE', 'sip:x', { To: to, ...headers }))).status).toBe(481);
    }
    expect((await sip.response(sip.send('BYE', 'sip:x', { To: to }))).status).toBe(200);
    expect(ends).toEqual([{ reason: 'other_side' }]);
    expect((await sip.response(sip.send('BYE', 'sip:x', { To: to }))).status).toBe(481);
  });

  it('a dialog goes on when its connection breaks, and takes requests from another one', async () => {
    const { sip, to } = await established();
    sip.close();
    const other = await client();
    other.send('OPTIONS', 'sip:x', { To: to, CSeq: '50 OPTIONS' });
    expect((await other.response(50)).status).toBe(200);
    calls[0]!.hangUp();
    expect(header(await other.request('BYE'), 'call-id')).toBe('call-1');
  });

  it('a dialog without audio goes on as long as the other side says so', async () => {
    await endpoint.stop();
    await start(300);
    const { sip } = await established();
    const asked = await sip.request('OPTIONS');
    const [via, from, to] = ['via', 'from', 'to'].map((name) => header(asked, name));
    const answer = (status: string) =>
      sip.write(
        `SIP/2.0 ${status}\r\nVia: ${via}\r\nFrom: ${from}\r\nTo: ${to}\r\nCall-ID: call-1\r\nCSeq: ${header(asked, 'cseq')}\r\nContent-Length: 0\r\n\r\n`,
      );
    answer('200 OK');
    await waitUntil(() => sip.received.filter((message) => 'method' in message).length === 2, {
      what: 'the next question',
    });
    expect(ends).toEqual([]);
    sip.received.splice(0, sip.received.length - 1);
    const again = await sip.request('OPTIONS');
    sip.write(
      `SIP/2.0 481 Gone\r\nVia: ${via}\r\nFrom: ${from}\r\nTo: ${to}\r\nCall-ID: call-1\r\nCSeq: ${header(again, 'cseq')}\r\nContent-Length: 0\r\n\r\n`,
    );
    await waitUntil(() => ends.length === 1, { what: 'the end' });
    expect(ends).toEqual([{ reason: 'silent' }]);
  });

  it('a dialog ends by silence when its connection is gone and nobody is where it came from', async () => {
    await endpoint.stop();
    await start(300);
    const { sip } = await established();
    sip.close();
    await waitUntil(() => ends.length === 1, { what: 'the end', timeoutMs: 10_000 });
    expect(ends).toEqual([{ reason: 'silent' }]);
  });

  it('a dialog that we end before it was confirmed gets its BYE after the ACK', async () => {
    const sip = await client();
    const response = await sip.response(sip.send('INVITE', `sip:res-1@${endpoint.address}`, {}, offer()));
    calls[0]!.hangUp();
    const to = header(response, 'to');
    expect((await sip.response(sip.send('OPTIONS', 'sip:x', { To: to }))).status).toBe(200);
    expect(sip.received.some((message) => 'method' in message)).toBe(false);
    sip.send('ACK', 'sip:x', { To: to, CSeq: '1 ACK' });
    await sip.request('BYE');
  });
});

describe('a request outside of a dialog', () => {
  it.each([
    ['OPTIONS', {}, 200],
    ['BYE', {}, 481],
    ['CANCEL', {}, 481],
    ['INVITE', { To: '<sip:r@x>;tag=unknown' }, 481],
    ['INVITE', { Contact: '' }, 400],
    ['INVITE', { Contact: '<http://x>' }, 400],
    ['INVITE', { From: '<sip:x>' }, 400],
    ['INVITE', { CSeq: '1 BYE' }, 400],
    ['INVITE', { Require: '100rel' }, 420],
    ['REGISTER', {}, 405],
    ['SUBSCRIBE', {}, 405],
  ])('a request outside of a dialog: %s with %j is answered %i', async (method, headers, status) => {
    const sip = await client();
    sip.send(method, `sip:r@${endpoint.address}`, headers, method === 'INVITE' ? offer() : '');
    expect((await sip.response(1)).status).toBe(status);
    expect(calls).toEqual([]);
  });

  it('a request outside of a dialog: INVITE without an offer is answered with ours, and connected by the ACK', async () => {
    const sip = await client();
    const response = await sip.response(sip.send('INVITE', `sip:r@${endpoint.address}`));
    expect([response.status, response.body.includes('m=audio')]).toEqual([200, true]);
    sip.send('ACK', 'sip:x', { To: header(response, 'to'), CSeq: '1 ACK' }, offer());
    expect((await sip.response(sip.send('BYE', 'sip:x', { To: header(response, 'to') }))).status).toBe(200);
  });

  it('a request outside of a dialog: INVITE without audio for us is refused without a question', async () => {
    const sip = await client();
    const video = offer().replace('m=audio', 'm=video');
    expect((await sip.response(sip.send('INVITE', `sip:r@${endpoint.address}`, {}, video))).status).toBe(488);
    expect(calls).toEqual([]);
  });
});

describe('hostile bytes', () => {
  it('hostile bytes close their connection, and other calls go on', async () => {
    const { sip, to } = await established();
    for (const bytes of [
      'GET / HTTP/1.1\r\n\r\n',
      `INVITE sip:x SIP/2.0\r\n${'a'.repeat(20_000)}`,
      `BYE sip:x SIP/2.0\r\nl: 99999\r\n\r\n`,
    ]) {
      const hostile = await client();
      hostile.write(bytes);
      await waitUntil(() => hostile.isClosed, { what: 'the end of the connection' });
    }
    const random = await client();
    for (let chunk = 0; chunk < 20 && !random.isClosed; chunk += 1) random.write(randomBytes(4096));
    await waitUntil(() => random.isClosed, { what: 'the end of the connection' });
    expect((await sip.response(sip.send('OPTIONS', 'sip:x', { To: to }))).status).toBe(200);
  });
});
