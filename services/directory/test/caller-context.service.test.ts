import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { CallerContextService, CallerLookupService } from '@parley/proto/directory/v1/caller_context_pb';
import { ContactService } from '@parley/proto/directory/v1/contacts_pb';
import { IntegrationAdminService, IntegrationKind } from '@parley/proto/directory/v1/integrations_pb';
import { asOperator } from '@parley/testkit/service';
import { startDirectory, type TestCompany, type TestDirectory } from './start-directory.ts';

let directory: TestDirectory;
let company: TestCompany;
let partner: Server;
let origin: string;
let requests: number;
let answer: () => { status: number; body: string | Buffer };

beforeAll(async () => {
  partner = createServer((_request, response) => {
    requests += 1;
    const { status, body } = answer();
    response.writeHead(status, { 'Content-Type': 'application/json' }).end(body);
  });
  await new Promise<void>((resolve) => partner.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(partner.address() as AddressInfo).port}`;
  directory = await startDirectory({ ALLOWED_ORIGINS: origin, CONTACTS_MAX: '2' });
});
beforeEach(async () => {
  requests = 0;
  answer = () => ({ status: 200, body: '{"contact":{"name":"Kim"}}' });
  company = await directory.createCompany();
  const integration = {
    companyId: company.id,
    kind: IntegrationKind.CUSTOM_ENDPOINT,
    url: origin,
    secret: 'top secret',
  };
  await directory.gateway.client(IntegrationAdminService).setIntegration(integration, asOperator);
});
afterAll(async () => {
  await directory?.stop();
  partner?.close();
});

const phone = '+4520304050';
const ask = async () =>
  (await directory.gateway.client(CallerContextService).getCallerContext({ phone }, company.owner)).context;
const lookUp = (ageMaxSecs: number) =>
  directory.as('call-control').client(CallerLookupService).lookUpCaller({ companyId: company.id, phone, ageMaxSecs });

describe('caller context', () => {
  it('caller context is looked up again for employees, and served from the stored result to services that allow it', async () => {
    await ask();
    await ask();
    expect(requests).toBe(2);
    const remembered = await lookUp(60);
    expect([requests, remembered.context?.contexts[0]?.contact?.name]).toEqual([2, 'Kim']);
    expect(remembered.ageSecs).toBeLessThanOrEqual(60);
    expect(remembered.context?.contact?.name).toBe('Kim');
    await lookUp(0);
    expect(requests).toBe(3);
  });

  it('caller context requested ten times at once is looked up once and creates one contact', async () => {
    const contexts = await Promise.all(Array.from({ length: 10 }, ask));
    expect(new Set(contexts.map((context) => context?.contact?.id)).size).toBe(1);
    expect(requests).toBeLessThan(10);
  });

  it.each([
    ['an error', () => ({ status: 500, body: '{}' })],
    ['no JSON', () => ({ status: 200, body: '<html>' })],
    ['no UTF-8', () => ({ status: 200, body: Buffer.from('{"contact":{"name":"J\u00f8rgen"}}', 'latin1') })],
    ['a redirect', () => ({ status: 302, body: '' })],
    ['too much', () => ({ status: 200, body: `{"contact":{"name":"${'x'.repeat(600_000)}"}}` })],
  ])('caller context omits a system that responds with %s, and keeps its earlier result', async (_case, broken) => {
    await ask();
    answer = broken;
    expect(await ask()).toMatchObject({ contexts: [], enrichedAt: expect.anything(), contact: { name: 'Kim' } });
    expect((await lookUp(60)).context?.contexts).toHaveLength(1);
  });

  it('caller context creates no contact beyond the cap, and responds nevertheless', async () => {
    const contacts = directory.gateway.client(ContactService);
    for (const other of ['+4520304051', '+4520304052']) await contacts.createContact({ phone: other }, company.owner);
    const context = await ask();
    expect([context?.contexts.length, context?.contact]).toEqual([1, undefined]);
  });

  it('caller context keeps no secret in the clear', async () => {
    const stored = JSON.stringify(await directory.db.collection('integrations').find().toArray());
    expect(stored).toContain('encryptedSecret');
    expect(stored).not.toContain('top secret');
  });
});

it('forty thousand small cells are cut and not an error', async () => {
  const columns = Array.from({ length: 20 }, (_, index) => ({ key: `c${index}`, label: 'L' }));
  const values = Object.fromEntries(columns.map(({ key }) => [key, 'x']));
  const table = { type: 'table', label: 'T', columns, rows: Array.from({ length: 100 }, () => ({ values })) };
  const body = JSON.stringify({ contact: { name: 'Kim' }, sections: Array.from({ length: 20 }, () => table) });
  answer = () => ({ status: 200, body });
  const context = await ask();
  expect(context?.contexts[0]?.sections.length).toBeGreaterThan(0);
  expect(context?.contact?.name).toBe('Kim');
  expect((await lookUp(60)).context?.contexts).toEqual(context?.contexts);
});
