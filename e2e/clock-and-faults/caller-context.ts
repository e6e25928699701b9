import { beforeAll, describe, expect, it } from '@jest/globals';
import { type Company, createTestCompany, operate, sandbox, setFaults, succeeded } from '../support/api.ts';
import type { LocalStack } from '../support/local-stack.ts';
import { waitUntil } from '@parley/testkit/wait-until';

export function testCallerContext(stack: LocalStack): void {
  let company: Company;

  beforeAll(async () => {
    company = await createTestCompany(stack.local);
    for (const kind of ['custom_endpoint', 'ecommerce', 'accounting']) await succeeded(connect(company, kind));
  });

  const connect = (where: Company, kind: string, more: object = {}) =>
    operate(stack.local, 'PUT', `/companies/${where.id}/integrations/${kind}`, {
      url: `${stack.local.sandbox_url}/integrations/${kind}`,
      secret: 'app:grant',
      ...more,
    });
  const setRecords = (kind: string, records: object) =>
    succeeded(sandbox(stack.local, 'PUT', `/integrations/${kind}`, { records }));
  const lookUp = (phone: string, where = company) =>
    where.call('GET', `/caller_context?phone=${encodeURIComponent(phone)}`);
  const breakIntegrations = (integrations: string) => setFaults(stack.local, { integrations });

  const order = {
    type: 'table',
    label: 'Orders',
    columns: [
      { key: 'order', label: 'Order' },
      { key: 'placed', label: 'Placed', format: 'date' },
      { key: 'total', label: 'Total', format: 'money' },
      { key: 'state', label: 'State', format: 'badge' },
    ],
    rows: [
      { values: { order: '#7', placed: '2025-03-01', total: { amount: '99.50', currency: 'EUR' }, state: 'paid' } },
    ],
  };

  describe('connecting a system', () => {
    it('connecting a system answers everything but the secret', async () => {
      const { status, body } = await connect(company, 'ecommerce', { label: 'Webshop', source: 'shop.example' });
      expect(status).toBe(200);
      expect(body).toEqual({
        id: expect.any(String),
        kind: 'ecommerce',
        url: `${stack.local.sandbox_url}/integrations/ecommerce`,
        label: 'Webshop',
        source: 'shop.example',
      });
    });

    it.each([
      ['a private address', { url: 'https://10.0.0.1/' }, 'url'],
      ['another port of this machine', { url: 'http://127.0.0.1:1/' }, 'url'],
      ['the metadata address', { url: 'https://169.254.169.254/latest' }, 'url'],
      ['plain http', { url: 'http://example.com/' }, 'url'],
      ['no address', { url: 'nonsense' }, 'url'],
      ['an object as address', { url: {} }, 'url'],
      ['a blank secret', { secret: ' ' }, 'secret'],
      ['a secret with a line break', { secret: 'a\nb' }, 'secret'],
    ])('is refused with %s', async (_case, more, field) => {
      const reply = await connect(company, 'custom_endpoint', more);
      expect([reply.status, Object.keys(reply.body.errors)]).toEqual([422, [field]]);
    });

    it('connecting a system that is unknown, or of a company that is, is 404', async () => {
      expect((await connect(company, 'crm')).status).toBe(404);
      expect((await connect({ ...company, id: 'com_none' }, 'ecommerce')).status).toBe(404);
    });
  });

  describe('a caller', () => {
    it('a caller who is unknown has no context, which is no error', async () => {
      const { status, body } = await lookUp('+4570000001');
      expect([status, body]).toEqual([200, { contexts: [], enriched_at: expect.any(String), contact: null }]);
    });

    it('a caller is not looked up where nothing is connected', async () => {
      const lonely = await createTestCompany(stack.local);
      await succeeded(lonely.call('POST', '/contacts', { phone: '+4570000002', name: 'Known' }));
      const { body } = await lookUp('+4570000002', lonely);
      expect(body).toMatchObject({ contexts: [], enriched_at: null, contact: { name: 'Known' } });
    });

    it.each(['', '?phone=', '?phone=%20'])('a caller is required: %j', async (query) => {
      const { status, body } = await company.call('GET', `/caller_context${query}`);
      expect([status, body]).toEqual([400, { error: 'phone parameter required' }]);
    });

    it.each(['anonymous', 'x'.repeat(300), '12', '\0', '+4570000001\0', '\u0007'])(
      'with an invalid number (%#) has no context',
      async (phone) => {
        expect((await lookUp(phone)).body).toEqual({ contexts: [], enriched_at: null, contact: null });
      },
    );

    it('a caller who is known to the company’s own system has its data, and becomes a contact', async () => {
      const sections = [
        {
          type: 'fields',
          label: 'Account',
          fields: [
            { label: 'Plan', value: 'Gold', format: 'badge', bold: true },
            { label: 'Owner', value: 'kim@example.com', format: 'email', url: 'https://crm.example/kim' },
            { label: 'Debt', value: { amount: '12.00', currency: 'DKK' }, format: 'money' },
          ],
        },
        order,
      ];
      const contact = { name: 'Kim Own', email: 'kim@example.com', company_name: 'Own ApS', note: 'VIP' };
      await setRecords('custom_endpoint', { '+4570000003': { contact, url: 'https://crm.example/7', sections } });
      const { body } = await lookUp('70 00 00 03');
      expect(body.contexts).toEqual([
        {
          provider: 'custom_endpoint',
          label: 'Custom endpoint',
          source: new URL(stack.local.sandbox_url).host,
          url: 'https://crm.example/7',
          contact,
          sections,
        },
      ]);
      expect(body.contact).toMatchObject({ ...contact, phone: '+4570000003' });
      expect((await company.call('GET', `/contacts/${body.contact.id}`)).body).toEqual(body.contact);
    });

    it('a caller who is known to the shop comes with orders, and one known to accounting with open invoices', async () => {
      const shopper = { name: 'Sal Shopper', email: 'sal@example.com', company_name: 'Sal Ltd', note: 'regular' };
      await setRecords('ecommerce', { '+4570000004': { contact: shopper, sections: [order] } });
      await setRecords('accounting', {
        '+4570000004': { contact: { name: 'Abe Payer', company_name: 'Payers A/S' }, sections: [order] },
      });
      const { body } = await lookUp('+4570000004');
      expect(body.contexts.map(({ provider }: { provider: string }) => provider)).toEqual(['shopify', 'economic']);
      const [shop, books] = body.contexts;
      expect(shop.contact).toEqual(shopper);
      expect(shop.sections).toContainEqual(
        expect.objectContaining({
          type: 'table',
          label: 'Recent orders',
          rows: [
            expect.objectContaining({
              values: expect.objectContaining({ order: '#7', total: { amount: '99.50', currency: 'EUR' } }),
            }),
          ],
        }),
      );
      expect(books.contact).toMatchObject({ name: 'Abe Payer', company_name: 'Payers A/S' });
      expect(books.sections).toContainEqual(
        expect.objectContaining({
          label: 'Open invoices',
          rows: [expect.objectContaining({ values: expect.objectContaining({ invoice: '7' }) })],
        }),
      );
      expect(body.contact).toMatchObject(shopper);
    });

    it('what several systems know of a caller is put together: own system first, then the shop, then accounting', async () => {
      const phone = '+4570000005';
      await setRecords('custom_endpoint', { [phone]: { contact: { name: 'From Own', email: 'not an address' } } });
      await setRecords('ecommerce', { [phone]: { contact: { name: 'From Shop', email: 'shop@example.com' } } });
      await setRecords('accounting', {
        [phone]: { contact: { name: 'From Books', email: 'books@example.com', company_name: 'Books A/S' } },
      });
      const { body } = await lookUp(phone);
      expect(body.contact).toMatchObject({
        name: 'From Own',
        email: 'shop@example.com',
        company_name: 'Books A/S',
        note: null,
      });
    });

    it('a caller keeps what a person wrote down about them; only blanks are filled', async () => {
      const phone = '+4570000006';
      await succeeded(company.call('POST', '/contacts', { phone, name: 'Mine', note: null }));
      await setRecords('custom_endpoint', {
        [phone]: { contact: { name: 'Theirs', note: 'theirs', email: 'x@example.com' } },
      });
      expect((await lookUp(phone)).body.contact).toMatchObject({
        name: 'Mine',
        note: 'theirs',
        email: 'x@example.com',
      });
    });

    it('a caller without a name becomes no contact', async () => {
      const phone = '+4570000007';
      await setRecords('custom_endpoint', { [phone]: { contact: { email: 'x@example.com' } } });
      const { body } = await lookUp(phone);
      expect([body.contexts.length, body.contact]).toEqual([1, null]);
    });

    it('a caller is cut to the limits, and nonsense is left out', async () => {
      const phone = '+4570000008';
      await setRecords('custom_endpoint', {
        [phone]: {
          contact: {
            name: 'n'.repeat(200),
            email: `${'e'.repeat(400)}@example.com`,
            company_name: 'c'.repeat(200),
            note: 'x'.repeat(20_000),
          },
          url: 'javascript:alert(1)',
          sections: [
            'nonsense',
            { type: 'chart' },
            { type: 'table', columns: [], rows: [] },
            {
              type: 'fields',
              fields: [
                { label: 'Bad', value: { a: 1 } },
                { label: 'Good', value: 'yes', format: 'odd' },
              ],
            },
          ],
        },
      });
      const { status, body } = await lookUp(phone);
      expect(status).toBe(200);
      const [context] = body.contexts;
      expect(context.contact).toEqual({
        name: 'n'.repeat(128),
        email: null,
        company_name: 'c'.repeat(128),
        note: 'x'.repeat(10_000),
      });
      expect(context.url).toBeNull();
      expect(context.sections).toEqual([{ type: 'fields', fields: [{ label: 'Good', value: 'yes' }] }]);
    });

    it('a caller is published by contact events like any other contact', async () => {
      const own = await createTestCompany(stack.local);
      await succeeded(connect(own, 'custom_endpoint'));
      const url = `${stack.local.sandbox_url}/hooks/context`;
      const events = ['contact.created', 'contact.updated'];
      await succeeded(own.call('POST', '/webhooks', { name: 'c', url, events }));
      const phone = '+4570000009';
      await setRecords('custom_endpoint', { [phone]: { contact: { name: 'New' } } });
      await lookUp(phone, own);
      await setRecords('custom_endpoint', { [phone]: { contact: { name: 'New', note: 'more' } } });
      await lookUp(phone, own);
      await lookUp(phone, own);
      const received = async () =>
        (await sandbox(stack.local, 'GET', '/hooks/context')).body.map(
          ({ body }: { body: { event: string } }) => body.event,
        );
      await waitUntil(async () => (await received()).length >= 2, { what: 'both events' });
      expect((await received()).sort()).toEqual(['contact.created', 'contact.updated']);
    });
  });

  describe('a system that is broken', () => {
    it.each(['fail', 'slow'])(
      'a system with a fault (%s) is omitted, and the response arrives nevertheless',
      async (fault) => {
        const phone = '+4570000010';
        await setRecords('custom_endpoint', { [phone]: { contact: { name: 'Ken' } } });
        expect((await lookUp(phone)).body.contexts).toHaveLength(1);
        await breakIntegrations(fault);
        // A slow one would answer after 30 seconds: long after the gateway has stopped waiting for a response.
        const { status, body } = await lookUp(phone);
        await breakIntegrations('ok');
        expect([status, body.contexts, body.contact.name]).toEqual([200, [], 'Ken']);
        expect(body.enriched_at).toEqual(expect.any(String));
      },
    );

    it('a system that is broken can be disconnected', async () => {
      const own = await createTestCompany(stack.local);
      await succeeded(connect(own, 'accounting'));
      const path = `/companies/${own.id}/integrations/accounting`;
      expect((await operate(stack.local, 'DELETE', path)).status).toBe(204);
      expect((await operate(stack.local, 'DELETE', path)).status).toBe(404);
      expect((await lookUp('+4570000011', own)).body.enriched_at).toBeNull();
      expect((await connect(own, 'accounting')).status).toBe(200);
    });
  });
}
