import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sendJson, startTestServer, type TestServer } from '../../test/test-server.ts';
import { ApiClient } from './api-client.ts';
import { Connections, Network } from './network.ts';

const connections = new Connections();
let server: TestServer;
let client: ApiClient;

/** Answers with what the path says: `/422` and the body that was sent. */
beforeAll(async () => {
  server = await startTestServer((request, body, response) => {
    const [, status] = /\/(\d{3})/.exec(request.url!) ?? [];
    if (status === '204') response.writeHead(204, { 'X-Word': 'one' }).end();
    else sendJson(response, Number(status ?? 200), body === '' ? { host: request.headers.host } : JSON.parse(body));
  });
  client = new ApiClient(new Network({ connections }), server.url, '/api', { 'X-Api-Key': 'k' });
});
afterAll(async () => {
  connections.close();
  await server.close();
});

const refusal = { error: 'It is wrong.', code: 'validation_failed', errors: { name: ['is too long'] } };

describe('a request', () => {
  it('a request gives the body of the reply that was expected', async () => {
    expect(await client.post('/201', { a: 1, b: 2 }).gives(201, { a: 1 })).toEqual({ a: 1, b: 2 });
    await client.delete('/204').givesNothing();
    await client.get('/204').givesHeaders(204, { 'x-word': /^o/ });
    await client.post('/422', refusal).isRefused(422, { field: 'name' });
    await client.post('/404', { error: 'not_found' }).isNotFound();
    await client.post('/409', { error: 'taken', code: 'taken' }).isRefused(409, { code: 'taken' });
    expect((await client.get('/500')).status).toBe(500);
  });

  it.each([
    [
      'another status',
      () => client.post('/200', { a: 1 }).gives(201),
      'was answered with 200 instead of 201; it was {"a":1}',
    ],
    ['another body', () => client.post('/200', { a: 1 }).gives(200, { a: 2 }), 'is wrong: body.a is 1 instead of 2'],
    [
      'another header',
      () => client.get('/204').givesHeaders(204, { 'x-word': 'two' }),
      'has x-word: one instead of two',
    ],
    ['a body', () => client.post('/200', {}).givesNothing(200), 'has a body instead of none'],
    ['no error', () => client.post('/422', {}).isRefused(422), 'has no text `error`'],
    [
      'another field',
      () => client.post('/422', refusal).isRefused(422, { field: 'note' }),
      'does not name the field note',
    ],
    [
      'no code',
      () => client.post('/422', { error: 'x', errors: {} }).isRefused(422, { field: 'a' }),
      'body.code is missing',
    ],
    [
      'the code in one place only',
      () => client.post('/409', { error: 'It is taken.', code: 'taken' }).isRefused(409, { code: 'taken' }),
      'body.error is "It is taken." instead of "taken"',
    ],
  ])('a request fails with both sides of the difference: %s', async (_case, send, message) => {
    await expect(send()).rejects.toThrow(message);
  });

  it('a request is sent as it stands, with the headers of the client and its own', async () => {
    server.requests.length = 0;
    await client.send('PROPFIND', '/a/../b%zz?x=1', { body: '{"raw":1}', headers: { 'X-Api-Key': 'other' } });
    expect(server.requests).toEqual(['PROPFIND /api/a/../b%zz?x=1 {"raw":1}']);
  });

  it('a request takes a detour with the host of the server', async () => {
    const detour = { base: 'http://phone.example:8080', via: server.url };
    const network = new Network({ connections, detour });
    const { host } = await new ApiClient(network, detour.base, '').get('/').gives(200);
    expect(host).toBe('phone.example:8080');
    expect(network.addressOf('ws://phone.example:8080/cable')).toBe(`${server.url.replace('http', 'ws')}/cable`);
    expect(network.addressOf('http://other.example/x')).toBe('http://other.example/x');
    expect(network.made).toEqual([{ base: detour.base, method: 'GET', path: '/' }]);
  });

  it('a request to nobody says which one it was', async () => {
    const nobody = new ApiClient(new Network({ connections }), 'http://127.0.0.1:1', '');
    await expect(nobody.get('/x').gives(200)).rejects.toThrow('GET http://127.0.0.1:1/x: ');
  });
});
