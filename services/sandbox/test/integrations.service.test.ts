import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type OwnNats, ownNats } from '@parley/testkit';
import { startSandbox, type TestSandbox } from './start-sandbox.ts';

let nats: OwnNats;
let sandbox: TestSandbox;
beforeAll(async () => {
  nats = await ownNats();
  sandbox = await startSandbox(nats);
});
afterAll(async () => {
  await sandbox?.stop();
  await nats?.close();
});

const phone = '+4520304050';
const contact = { name: 'Kim Larsen', email: 'kim@example.com', company_name: 'Larsen ApS', note: 'VIP' };
const sections = [
  {
    type: 'table',
    label: 'Orders',
    columns: [
      { key: 'id', label: 'Order' },
      { key: 'at', label: 'Placed', format: 'date' },
      { key: 'due', label: 'Due', format: 'date' },
      { key: 'sum', label: 'Total', format: 'money' },
      { key: 'state', label: 'State', format: 'badge' },
    ],
    rows: [
      {
        values: {
          id: '#42',
          at: '2025-03-01',
          due: '2025-04-01',
          sum: { amount: '9.50', currency: 'EUR' },
          state: 'paid',
        },
      },
    ],
  },
];
const setRecords = (kind: string) =>
  sandbox.ask('PUT', `/integrations/${kind}`, {
    records: { '+45 20 30 40 50': { contact, sections, url: 'https://a.example' } },
  });

const signed = { 'parley-timestamp': '1', 'parley-signature': 'v1=00' };
const shop = { 'x-shopify-access-token': 't' };
const books = { 'x-appsecrettoken': 'a', 'x-agreementgranttoken': 'g' };
const get = async (path: string, headers: Record<string, string>) => {
  const response = await fetch(sandbox.url + path, { headers });
  // `any`: tests compare it with expected values.
  return { status: response.status, body: (await response.json()) as any };
};
const signedGet = (path: string) => get(path, signed);
const shopGet = (path: string) => get(path, shop);
const booksGet = (path: string) => get(path, books);
const query = (parameters: Record<string, string>) => new URLSearchParams(parameters).toString();

describe('the fake custom endpoint', () => {
  it('the fake custom endpoint responds with the configured records to signed requests', async () => {
    expect((await setRecords('custom_endpoint')).status).toBe(200);
    const path = `/integrations/custom_endpoint?${query({ phone })}`;
    expect((await signedGet(path)).body).toEqual({ contact, sections, url: 'https://a.example' });
    expect((await signedGet(`/integrations/custom_endpoint?${query({ phone: '+4599999999' })}`)).status).toBe(404);
    expect((await get(path, {})).status).toBe(401);
  });
});

describe('the fake shop', () => {
  const api = '/integrations/ecommerce/admin/api/2025-01';

  it('the fake shop has customers and orders in Shopify’s shape', async () => {
    await setRecords('ecommerce');
    const { body: found } = await shopGet(`${api}/customers/search.json?${query({ query: `phone:${phone}` })}`);
    expect(found.customers).toEqual([
      expect.objectContaining({
        first_name: 'Kim',
        last_name: 'Larsen',
        phone,
        orders_count: 1,
        total_spent: '9.50',
        default_address: { company: 'Larsen ApS', phone },
      }),
    ]);
    const { body } = await shopGet(`${api}/orders.json?${query({ customer_id: String(found.customers[0].id) })}`);
    expect(body.orders).toEqual([
      expect.objectContaining({ name: '#42', total_price: '9.50', currency: 'EUR', financial_status: 'paid' }),
    ]);
    expect((await get(`${api}/orders.json?customer_id=1`, {})).status).toBe(401);
  });
});

describe('the fake accounting system', () => {
  const api = '/integrations/accounting';

  it('the fake accounting system has customers, contacts and unpaid invoices in e-conomic’s shape', async () => {
    await setRecords('accounting');
    const filter = `telephoneAndFaxNumber$eq:20304050$or:mobilePhone$eq:${phone}`;
    const { body: found } = await booksGet(`${api}/customers?${query({ filter })}`);
    expect(found.collection).toEqual([
      expect.objectContaining({ customerNumber: 1, name: 'Larsen ApS', telephoneAndFaxNumber: phone, balance: 9.5 }),
    ]);
    const { body: people } = await booksGet(`${api}/customers/1/contacts`);
    expect(people.collection).toEqual([expect.objectContaining({ name: 'Kim Larsen', phone, notes: 'VIP' })]);
    const { body } = await booksGet(`${api}/invoices/unpaid?${query({ filter: 'customer.customerNumber$eq:1' })}`);
    expect(body.collection).toEqual([
      { bookedInvoiceNumber: 42, date: '2025-03-01', dueDate: '2025-04-01', currency: 'EUR', remainder: 9.5 },
    ]);
  });
});

it('a fault of integrations is a fault of all three', async () => {
  await sandbox.ask('PUT', '/faults', { integrations: 'fail' });
  for (const [path, headers] of [
    [`/integrations/custom_endpoint?${query({ phone })}`, signed],
    ['/integrations/ecommerce/admin/api/2025-01/orders.json?customer_id=1', shop],
    ['/integrations/accounting/customers', books],
  ] as const)
    expect((await get(path, headers)).status).toBe(500);
  await sandbox.ask('DELETE', '/faults');
});

it('what is no record is refused', async () => {
  for (const records of [undefined, [], { [phone]: 'Kim' }, { [phone]: { contact: { name: 7 } } }])
    expect((await sandbox.ask('PUT', '/integrations/ecommerce', { records })).status).toBe(422);
});
