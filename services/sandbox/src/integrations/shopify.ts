import { json, HttpError, type Endpoint, endpoint } from '@parley/http';
import { z } from 'zod';
import type { CallerRecord, Records } from './records.ts';
import { sectionEntries } from './section-entries.ts';

const ROOT = '/integrations/ecommerce/admin/api/:version';
const CREATED_AT = '2024-01-15T10:00:00+01:00';

/** The two calls of Shopify's Admin REST API that a lookup makes. `ready` applies the current fault. */
export function shopifyEndpoints(
  records: Records,
  ready: (signal: AbortSignal) => Promise<void>,
): Endpoint<undefined>[] {
  const signedIn = z.object({ 'x-shopify-access-token': z.string().min(1) });
  const refuseInput = ({ part }: { part: string }) =>
    part === 'headers'
      ? new HttpError(401, { errors: '[API] Invalid API key or access token (unrecognized login or wrong password)' })
      : undefined;

  const search = endpoint('none')({
    route: `GET ${ROOT}/customers/search.json`,
    tag: 'Integrations',
    summary: 'Search customers as Shopify does',
    headers: signedIn,
    query: z.object({ query: z.string() }),
    responses: { 200: z.json() },
    inputError: refuseInput,
    async handle({ query, signal }) {
      await ready(signal);
      const [, phone = ''] = /^phone:"?([^"]*)"?$/.exec(query.query) ?? [];
      const place = records.all('ecommerce').findIndex((one) => one.phone === phone);
      const found = records.all('ecommerce')[place];
      return json(200, { customers: found ? [customer(place, found.phone, found.record)] : [] });
    },
  });

  const orders = endpoint('none')({
    route: `GET ${ROOT}/orders.json`,
    tag: 'Integrations',
    summary: 'List orders as Shopify does',
    headers: signedIn,
    query: z.object({ customer_id: z.string(), limit: z.coerce.number().default(50) }),
    responses: { 200: z.json() },
    inputError: refuseInput,
    async handle({ query, signal }) {
      await ready(signal);
      const found = records.all('ecommerce')[Number(query.customer_id) - FIRST_ID];
      return json(200, { orders: found ? ordersOf(found.record).slice(0, query.limit) : [] });
    },
  });

  return [search, orders];
}

const FIRST_ID = 7_000_000_000_001;

function customer(place: number, phone: string, record: CallerRecord) {
  const { name, email, company_name: company, note } = record.contact ?? {};
  const [first = null, ...rest] = name?.split(' ') ?? [];
  const entries = ordersOf(record);
  return {
    id: FIRST_ID + place,
    first_name: first,
    last_name: rest.length > 0 ? rest.join(' ') : null,
    email: email ?? null,
    phone,
    note: note ?? null,
    created_at: CREATED_AT,
    state: 'enabled',
    orders_count: entries.length,
    total_spent: entries.reduce((sum, { total_price: price }) => sum + Number(price), 0).toFixed(2),
    currency: entries[0]?.currency ?? 'DKK',
    default_address: { company: company ?? null, phone },
  };
}

function ordersOf(record: CallerRecord) {
  return sectionEntries(record).map((entry, index) => ({
    id: 5_000_000_000_001 + index,
    name: entry.title ?? `#${1001 + index}`,
    created_at: entry.dates[0] ?? CREATED_AT,
    total_price: entry.money?.amount ?? '0.00',
    currency: entry.money?.currency ?? 'DKK',
    financial_status: entry.badges[0] ?? 'paid',
    fulfillment_status: entry.badges[1] ?? null,
    order_status_url: entry.url ?? null,
  }));
}
