import { z } from 'zod';
import type { Provider } from './provider.ts';
import { readLookupResult } from './read-lookup-result.ts';

const API_VERSION = '2025-01';
const ORDERS_MAX = 5;

const id = z.union([z.int(), z.string()]);
const customersAnswer = z.object({
  customers: z.array(
    z.looseObject({
      id,
      first_name: z.string().nullish(),
      last_name: z.string().nullish(),
      email: z.string().nullish(),
      phone: z.string().nullish(),
      note: z.string().nullish(),
      orders_count: z.int().nullish(),
      total_spent: z.string().nullish(),
      currency: z.string().nullish(),
      created_at: z.string().nullish(),
      default_address: z.looseObject({ company: z.string().nullish(), phone: z.string().nullish() }).nullish(),
    }),
  ),
});
const ordersAnswer = z.object({
  orders: z.array(
    z.looseObject({
      id,
      name: z.string().nullish(),
      created_at: z.string().nullish(),
      total_price: z.string().nullish(),
      currency: z.string().nullish(),
      financial_status: z.string().nullish(),
      fulfillment_status: z.string().nullish(),
    }),
  ),
});

/** A Shopify shop over the Admin REST API: the customer with the number and the latest orders. */
export const shopify: Provider = {
  name: 'shopify',
  async lookUp(caller, { url, secret }, request) {
    const shop = url.replace(/\/+$/, '');
    const admin = `${shop}/admin/api/${API_VERSION}`;
    const headers = { Accept: 'application/json', 'X-Shopify-Access-Token': secret };
    const search = new URLSearchParams({ query: `phone:${caller.phone}`, limit: '10' });
    const answer = await request({ url: `${admin}/customers/search.json?${search}`, headers });
    if (answer === undefined) return undefined;
    // The search matches words, so the results may contain similar numbers.
    const customer = customersAnswer
      .parse(answer)
      .customers.find((one) => caller.isSame(one.phone) || caller.isSame(one.default_address?.phone));
    if (!customer) return undefined;
    const query = new URLSearchParams({ customer_id: String(customer.id), status: 'any', limit: String(ORDERS_MAX) });
    const { orders } = ordersAnswer.parse(
      (await request({ url: `${admin}/orders.json?${query}`, headers })) ?? { orders: [] },
    );
    return readLookupResult({
      url: `${shop}/admin/customers/${encodeURIComponent(customer.id)}`,
      contact: {
        name: [customer.first_name, customer.last_name].filter(Boolean).join(' '),
        email: customer.email,
        company_name: customer.default_address?.company,
        note: customer.note,
      },
      sections: [
        {
          type: 'fields',
          label: 'Customer',
          fields: [
            { label: 'Orders', value: customer.orders_count },
            {
              label: 'Total spent',
              value: money(customer.total_spent, customer.currency),
              format: 'money',
              bold: true,
            },
            { label: 'Customer since', value: customer.created_at, format: 'date' },
          ],
        },
        orders.length > 0 && {
          type: 'table',
          label: 'Recent orders',
          columns: [
            { key: 'order', label: 'Order' },
            { key: 'date', label: 'Date', format: 'date' },
            { key: 'total', label: 'Total', format: 'money' },
            { key: 'payment', label: 'Payment', format: 'badge' },
            { key: 'delivery', label: 'Delivery', format: 'badge' },
          ],
          rows: orders.slice(0, ORDERS_MAX).map((order) => ({
            url: `${shop}/admin/orders/${encodeURIComponent(order.id)}`,
            values: {
              order: order.name ?? order.id,
              date: order.created_at,
              total: money(order.total_price, order.currency),
              payment: order.financial_status,
              delivery: order.fulfillment_status,
            },
          })),
        },
      ],
    });
  },
};

function money(amount: string | null | undefined, currency: string | null | undefined): object | undefined {
  return amount && currency ? { amount, currency } : undefined;
}
