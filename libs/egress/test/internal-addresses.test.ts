import { type AddressInfo, createServer, type Server } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { checkUrl, createEgress, type Egress } from '../src/index.ts';
import { internalIpv4, internalIpv6, ipv4InIpv6, ipv4Spellings } from './internal-addresses.ts';

const addresses = [
  ...internalIpv4.map(([, ipv4]) => ipv4),
  ...internalIpv6,
  ...internalIpv4.flatMap(([, ipv4]) => Object.values(ipv4InIpv6).map((write) => write(ipv4))),
];

const hosts = [
  ...internalIpv4.flatMap(([, ipv4]) => Object.values(ipv4Spellings).map((write) => write(ipv4))),
  ...addresses.filter((address) => address.includes(':')).map((ipv6) => `[${ipv6}]`),
  'localhost',
  'localhost.',
  'LOCALHOST',
  'a.localhost',
  'a.b.localhost.',
  '\u24db\u24de\u24d2\u24d0\u24db\u24d7\u24de\u24e2\u24e3',
  '%6cocalhost',
  'intranet',
  'kubernetes.default.svc.cluster.local',
  'printer.local',
  'router.home.arpa',
  'metadata.google.internal',
  'metadata.google.internal.',
  'host.docker.internal',
  'localhost.localdomain',
];

/** A listener on every address of this machine, so that a connection to any form of "here" would be seen. */
let listener: Server;
let port: number;
let connections = 0;
/** Names nothing but what a test lets it: `<address with dashes>.name.test`. */
const named = new Map<string, string>();
let egress: Egress;

beforeAll(async () => {
  listener = createServer((socket) => {
    connections += 1;
    socket.destroy();
  });
  await new Promise<void>((done) => listener.listen({ port: 0, host: '::', ipv6Only: false }, done));
  port = (listener.address() as AddressInfo).port;
  egress = createEgress({
    resolve: async (hostname) => [named.get(hostname) ?? '127.0.0.1'],
    connectTimeoutMs: 2_000,
  });
});

afterAll(async () => {
  await egress.close();
  await new Promise((done) => listener.close(done));
});

async function reasonFor(url: string): Promise<string> {
  return egress.request({ method: 'POST', url, body: '{}', timeoutMs: 3_000, maxResponseBytes: 10 }).then(
    () => 'answered',
    (error) => error.reason,
  );
}

describe('addresses of our own network', () => {
  it('addresses of our own network are more than two hundred in this table', () => {
    expect(new Set(addresses).size).toBeGreaterThan(200);
    expect(new Set(hosts).size).toBeGreaterThan(200);
  });

  it('addresses of our own network are listened on, so that an opened connection is detected', async () => {
    const allowing = createEgress({ allowedOrigins: [`http://127.0.0.1:${port}`, `http://[::1]:${port}`] });
    for (const url of [`http://0x7f.1:${port}/`, `http://[::1]:${port}/`]) {
      const sent = allowing.request({ method: 'GET', url, timeoutMs: 3_000, maxResponseBytes: 10 });
      await expect(sent).rejects.toMatchObject({ reason: 'protocol' });
    }
    await allowing.close();
    expect(connections).toBe(2);
    connections = 0;
  });

  it.each(['https', 'http'])(
    'addresses of our own network are refused in a URL over %s, however they are spelled, and no connection is opened',
    async (scheme) => {
      for (const host of hosts) {
        const url = `${scheme}://${host}:${port}/hook`;
        expect([host, await checkUrl(url, {}, async () => [])]).toEqual([host, expect.objectContaining({ ok: false })]);
        expect([host, await reasonFor(url)]).toEqual([host, 'refused_address']);
      }
      expect(connections).toBe(0);
    },
  );

  it('addresses of our own network are refused when a public name resolves to them, and no connection is opened', async () => {
    for (const [index, address] of addresses.entries()) {
      const hostname = `a${index}.name.test`;
      named.set(hostname, address);
      const url = `https://${hostname}:${port}/hook`;
      expect([address, await checkUrl(url, {}, async () => [address])]).toEqual([
        address,
        { ok: false, problem: 'not_public' },
      ]);
      expect([address, await reasonFor(url)]).toEqual([address, 'refused_address']);
    }
    expect(connections).toBe(0);
  });

  it('addresses of our own network are refused when they hide among public ones', async () => {
    const mixed = createEgress({ resolve: async () => ['93.184.216.34', '127.0.0.1'] });
    const sent = mixed.request({
      method: 'GET',
      url: `https://mixed.test:${port}/`,
      timeoutMs: 3_000,
      maxResponseBytes: 10,
    });
    await expect(sent).rejects.toMatchObject({ reason: 'refused_address' });
    await mixed.close();
    expect(connections).toBe(0);
  });

  it('addresses of our own network are refused when the name was a public one at the time it was saved', async () => {
    const url = `https://rebinding.test:${port}/hook`;
    const answers = [['93.184.216.34'], ['127.0.0.1']];
    const resolve = async () => answers.shift() ?? ['127.0.0.1'];
    expect(await checkUrl(url, {}, resolve)).toEqual({ ok: true });
    const rebound = createEgress({ resolve });
    const sent = rebound.request({ method: 'POST', url, timeoutMs: 3_000, maxResponseBytes: 10 });
    await expect(sent).rejects.toMatchObject({ reason: 'refused_address', message: 'the address is not a public one' });
    await rebound.close();
    expect(connections).toBe(0);
  });
});
