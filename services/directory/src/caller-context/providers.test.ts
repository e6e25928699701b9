import { createHmac } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { readPhoneNumber } from '@parley/phone-numbers';
import type { ProviderRequest, Caller } from './provider.ts';
import { providers } from './lookup-client.ts';

const now = new Date('2026-01-05T09:00:00Z');
const caller: Caller = {
  phone: '+4520304050',
  international: '+45 20 30 40 50',
  national: '20 30 40 50',
  isSame: (written) => typeof written === 'string' && readPhoneNumber(written, 'DK')?.number === '+4520304050',
};

/** Responds by path and records the requests. */
function system(answers: Record<string, unknown>) {
  const requests: { url: URL; headers: Record<string, string> }[] = [];
  const request: ProviderRequest = async ({ url, headers }) => {
    requests.push({ url: new URL(url), headers });
    return answers[new URL(url).pathname];
  };
  return { requests, request };
}

describe('a custom endpoint', () => {
  it('a custom endpoint gets one request, with a signature over its exact path', async () => {
    const { requests, request } = system({ '/callers': { contact: { name: 'A' } } });
    const found = await providers.custom_endpoint.lookUp(
      caller,
      { url: 'https://a.example/callers?k=1', secret: 's3', now },
      request,
    );
    expect(found?.contact?.name).toBe('A');
    const [{ url, headers } = { url: new URL('http://x'), headers: {} as Record<string, string> }] = requests;
    expect(url.href).toBe('https://a.example/callers?k=1&phone=%2B4520304050');
    const signed = `1767603600.GET.${url.pathname}${url.search}`;
    expect(headers).toMatchObject({
      'Parley-Timestamp': '1767603600',
      'Parley-Signature': `v1=${createHmac('sha256', 's3').update(signed).digest('hex')}`,
    });
  });
});

describe('Shopify', () => {
  const look = (request: ProviderRequest) =>
    providers.ecommerce.lookUp(caller, { url: 'https://s.example/', secret: 'shpat', now }, request);
  const search = '/admin/api/2025-01/customers/search.json';
  const orders = '/admin/api/2025-01/orders.json';

  it('Shopify is queried for the customer and then for the orders', async () => {
    const { requests, request } = system({
      [search]: {
        customers: [
          { id: 1, phone: '+4520304051', first_name: 'Wrong' },
          {
            id: 2,
            phone: null,
            first_name: 'Right',
            last_name: 'One',
            email: 'r@example.com',
            default_address: { company: 'Co', phone: '20 30 40 50' },
          },
        ],
      },
      [orders]: {
        orders: [
          {
            id: 9,
            name: '#9',
            created_at: '2025-01-01',
            total_price: '5.00',
            currency: 'DKK',
            financial_status: 'paid',
          },
        ],
      },
    });
    const found = await look(request);
    expect(
      requests.map(({ url }) => [url.pathname, url.searchParams.get('query') ?? url.searchParams.get('customer_id')]),
    ).toEqual([
      [search, 'phone:+4520304050'],
      [orders, '2'],
    ]);
    expect(requests[0]?.headers['X-Shopify-Access-Token']).toBe('shpat');
    expect(found).toMatchObject({
      url: 'https://s.example/admin/customers/2',
      contact: { name: 'Right One', email: 'r@example.com', companyName: 'Co' },
      sections: [
        {
          type: 'table',
          rows: [{ url: 'https://s.example/admin/orders/9', values: { order: '#9', total: { amount: '5.00' } } }],
        },
      ],
    });
  });

  it('Shopify that has only similar numbers has no match', async () => {
    const { requests, request } = system({ [search]: { customers: [{ id: 1, phone: '+4520304051' }] } });
    expect([await look(request), requests.length]).toEqual([undefined, 1]);
  });

  it('Shopify that answers something else has failed', async () => {
    await expect(look(system({ [search]: { errors: 'Not Found' } }).request)).rejects.toThrow();
  });
});

describe('e-conomic', () => {
  const look = (request: ProviderRequest, secret = 'app:grant') =>
    providers.accounting.lookUp(caller, { url: 'https://e.example', secret, now }, request);

  it('e-conomic is queried for the number in common formats, the person, and open invoices', async () => {
    const { requests, request } = system({
      '/customers': {
        collection: [
          {
            customerNumber: 7,
            name: 'Firm A/S',
            email: 'firm@example.com',
            telephoneAndFaxNumber: '20 30 40 50',
            balance: 10.5,
            currency: 'DKK',
          },
        ],
      },
      '/customers/7/contacts': { collection: [{ name: 'Pia', phone: '20304050', notes: 'books' }, { name: 'Other' }] },
      '/invoices/unpaid': {
        collection: [
          { bookedInvoiceNumber: 3, date: '2025-01-01', dueDate: '2025-02-01', currency: 'DKK', remainder: 10.5 },
        ],
      },
    });
    const found = await look(request);
    const filter = requests[0]?.url.searchParams.get('filter') ?? '';
    for (const written of ['+4520304050', '20304050', '20 30 40 50', '004520304050', '+45 20 30 40 50'])
      expect(filter.split('$or:')).toContain(`telephoneAndFaxNumber$eq:${written}`);
    expect(requests[0]?.headers).toMatchObject({ 'X-AppSecretToken': 'app', 'X-AgreementGrantToken': 'grant' });
    expect(requests[2]?.url.searchParams.get('filter')).toBe('customer.customerNumber$eq:7');
    expect(found).toMatchObject({
      contact: { name: 'Pia', email: 'firm@example.com', companyName: 'Firm A/S', note: 'books' },
      sections: [
        { type: 'fields' },
        { type: 'table', rows: [{ values: { invoice: '3', amount: { amount: '10.50', currency: 'DKK' } } }] },
      ],
    });
  });

  it('e-conomic with a single token as secret uses it for both', async () => {
    const { requests, request } = system({ '/customers': { collection: [] } });
    await look(request, 'demo');
    expect(requests[0]?.headers).toMatchObject({ 'X-AppSecretToken': 'demo', 'X-AgreementGrantToken': 'demo' });
  });
});
