import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { sendJson, startTestServer, type TestServer } from '../../test/test-server.ts';
import { Connections } from '../http/network.ts';
import { CompanyStore } from './company-store.ts';
import { makeContext } from './context.ts';

const connections = new Connections();
let server: TestServer;
let made = 0;
let busy = 0;

/** An operator API and a public API. */
beforeAll(async () => {
  server = await startTestServer((request, _body, response) => {
    if (request.method === 'DELETE')
      return void response.writeHead(request.url!.includes('/operator/') ? 202 : 204).end();
    if (request.url === '/api/v1/company') return sendJson(response, 200, { id: 'com_key' });
    if (request.url === '/api/v1/contacts') return sendJson(response, 201, { id: `con_${(made += 1)}` });
    if (busy > 0) return sendJson(response, 503, { error: 'unavailable', left: (busy -= 1) });
    made += 1;
    sendJson(response, 201, { company: { id: `com_${made}` }, owner: { id: `emp_${made}` }, api_key: `pk_${made}` });
  });
});
beforeEach(() => {
  made = 0;
  server.requests.length = 0;
});
afterAll(async () => {
  connections.close();
  await server.close();
});

const deletions = () => server.requests.filter((request) => request.startsWith('DELETE')).sort();
const full = () => ({
  baseUrl: server.url,
  operator: { url: server.url, token: 'token' },
  sandboxUrl: server.url,
});

it('companies are made once for each purpose, have the name of the kit, and are all deleted', async () => {
  const companies = new CompanyStore(full(), connections);
  const [first, same, texting] = await Promise.all([
    companies.shared('contacts', {}),
    companies.shared('contacts', {}),
    companies.shared('contacts', { messaging: true }),
  ]);
  const own = await companies.make('contacts', { country: 'US' });
  expect([first.id === same.id, new Set([first.id, texting.id, own.id]).size]).toEqual([true, 3]);
  const bodies = server.requests.map(
    (request) => JSON.parse(request.split(' ').slice(2).join(' ')) as { name: string },
  );
  expect(bodies.every(({ name }) => name.startsWith('Conformance contacts '))).toBe(true);
  expect(await companies.close()).toEqual([]);
  expect(deletions()).toEqual([1, 2, 3].map((id) => `DELETE /operator/v1/companies/com_${id}`));
});

it('a company that a check has made by itself is deleted with the others', async () => {
  const companies = new CompanyStore(full(), connections);
  companies.adopt('com_adopted');
  expect(await companies.close()).toEqual([]);
  expect(deletions()).toEqual(['DELETE /operator/v1/companies/com_adopted']);
});

it('a company is made by an operator API that is busy at first', async () => {
  busy = 1;
  const companies = new CompanyStore(full(), connections);
  expect((await companies.make('contacts', {})).id).toBe('com_1');
});

it('the company of an API key keeps nothing that checks have made in it', async () => {
  const target = { baseUrl: server.url, apiKey: 'pk_mine' };
  const store = new CompanyStore(target, connections);
  const { signal } = new AbortController();
  const world = { target, connections, companies: store };
  const { companies } = makeContext(world, { area: 'contacts', alone: false, signal });
  const company = await companies.shared();
  for (let count = 0; count < 3; count++) await company.post('/contacts', {}).gives(201);
  await company.delete('/contacts/con_2').givesNothing();
  server.requests.length = 0;
  expect(await store.close()).toEqual([]);
  expect(deletions()).toEqual(['DELETE /api/v1/contacts/con_1', 'DELETE /api/v1/contacts/con_3']);
  await expect(companies.fresh()).rejects.toThrow('only be made with the operator API');
});
