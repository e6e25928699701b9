import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { publicLookup } from './guarded-connect.ts';

const isPublic = (address: string) => address === '127.0.0.1' || address === '::1';

describe('publicLookup', () => {
  it('publicLookup connects a socket to the address that was checked, without a second lookup', async () => {
    const server = createServer((socket) => socket.end()).listen(0, '127.0.0.1');
    await once(server, 'listening');
    let lookups = 0;
    const lookup = publicLookup(async () => {
      lookups += 1;
      return ['127.0.0.1'];
    }, isPublic);
    for (const autoSelectFamily of [true, false]) {
      const socket = connect({
        host: 'name.test',
        port: (server.address() as AddressInfo).port,
        lookup,
        autoSelectFamily,
      });
      await once(socket, 'connect');
      expect(socket.remoteAddress).toBe('127.0.0.1');
      socket.destroy();
    }
    expect(lookups).toBe(2);
    server.close();
  });

  it('publicLookup returns every address with its family', async () => {
    const lookup = publicLookup(async () => ['127.0.0.1', '::1'], isPublic);
    const found = await new Promise((done) => lookup('name.test', { all: true }, (_, addresses) => done(addresses)));
    expect(found).toEqual([
      { address: '127.0.0.1', family: 4 },
      { address: '::1', family: 6 },
    ]);
  });

  it.each([
    [['127.0.0.1', '10.0.0.1'], 'refused_address'],
    [['not an address'], 'refused_address'],
    [[], 'dns'],
  ])('publicLookup returns nothing for %j: %s', async (addresses, reason) => {
    const lookup = publicLookup(async () => addresses, isPublic);
    const [error, address] = await new Promise<unknown[]>((done) =>
      lookup('a.test', { all: true }, (...all) => done(all)),
    );
    expect([error, address]).toEqual([expect.objectContaining({ reason }), '']);
  });
});
