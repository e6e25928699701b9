import { CHINESE, CSV, type LargeCompany } from './large-company.ts';
import { largestValues, type Schemas, type ValueSchema } from './largest-values.ts';

/** An operation of the OpenAPI document. */
export interface Operation {
  readonly method: string;
  /** `/api/v1/contacts/{id}`. */
  readonly path: string;
  readonly query: readonly { readonly name: string; readonly schema: ValueSchema }[];
  /** Undefined for an operation without a body; empty for one that takes any bytes. */
  readonly body: { readonly mediaType: string; readonly schema: ValueSchema } | undefined;
}

/** One request. */
export interface LargeRequest {
  readonly what: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Instead of a single request. */
  readonly run?: () => Promise<unknown>;
}

const MEBIBYTE = 1024 * 1024;
const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' };
const JSON_TYPE = { 'Content-Type': 'application/json' };
/** All of a query string fit into the size of headers that the gateway accepts. */
const QUERY_LENGTH_MAX = 12_000;
const many = (count: number, one: string) => Array.from({ length: count }, () => one).join('\n');

/** Cases that no schema describes, by operation. An operation that takes any bytes needs one. */
export const ownCases: Readonly<Record<string, (company: LargeCompany) => LargeRequest[]>> = {
  'post /api/v1/contacts/imports': ({ importFile }) => [
    { what: '16 MB of line ends', headers: CSV, body: `phone\n${'\n'.repeat(16 * MEBIBYTE - 6)}` },
    { what: '240 lines of 65,000 commas', headers: CSV, body: `phone\n${many(240, ','.repeat(65_000))}` },
    { what: 'a line that is too long', headers: CSV, body: `phone\n"${'x\n'.repeat(8 * MEBIBYTE - 4)}` },
    { what: 'long notes', run: () => importFile(`phone,note\n${many(100, `+4520304050,${CHINESE}`)}`) },
    {
      what: 'notes of one word',
      run: () => importFile(`phone,note\n${many(100, `+4520304051,${'🙂'.repeat(10_000)}`)}`),
    },
  ],
  'get /api/v1/contacts/imports/{id}': ({ importFile }) => [
    { what: 'many refused lines', run: () => importFile(`phone\n${many(6_000, 'x')}`) },
  ],
  'get /api/v1/holidays': ({ company }) => [
    {
      what: 'calendars that follow the moon',
      run: () =>
        Promise.all(
          ['TW', 'HK', 'VN', 'CN', 'SG', 'KR'].map((country) =>
            company.call('GET', `/holidays?country=${country}&year=${2000 + Math.floor(Math.random() * 100)}`),
          ),
        ),
    },
  ],
  'get /api/v1/messages': ({ company }) => [
    {
      what: 'six searches in long texts',
      run: () =>
        Promise.all(
          Array.from({ length: 6 }, () =>
            company.call('GET', `/messages?query=${encodeURIComponent('自行车 地址')}&limit=100`),
          ),
        ),
    },
  ],
  'get /api/v1/contacts': (): LargeRequest[] => [
    { what: 'a page', query: { limit: '100' } },
    { what: 'everything' },
    { what: 'a frequent part of a word', query: { query: 'a', limit: '100' } },
    {
      what: 'many numbers',
      query: { phones: Array.from({ length: 100 }, (_, at) => `+4520300${100 + at}`).join(',') },
    },
  ],
  'get /api/v1/inbox/{phone_number}/activity': () => [{ what: 'a page', query: { limit: '100' } }],
  'get /api/v1/reports/calls': () => [
    {
      what: 'hours of a year',
      query: { from: '2026-01-01', to: '2026-12-31', group_by: 'hour', timezone: 'Europe/Copenhagen' },
    },
    {
      what: 'days of many years',
      query: { from: '2000-01-01', to: '2199-12-31', group_by: 'day', timezone: 'Europe/Copenhagen' },
    },
  ],
  'get /api/v1/reports/messages': () => [
    {
      what: 'hours of a year',
      query: { from: '2026-01-01', to: '2026-12-31', group_by: 'hour', timezone: 'Europe/Copenhagen' },
    },
  ],
  'post /api/v1/business_numbers/{id}/messages': ({ customer }) => [
    { what: 'a long text', body: { to: customer(), text: CHINESE } },
    { what: 'a long text in the alphabet of texts', body: { to: customer(), text: 'a'.repeat(10_000) } },
  ],
  'put /api/v1/business_numbers/{id}/incoming_call_config': ({ employeeIds }) => [
    {
      what: 'a menu with all options',
      body: {
        type: 'PhoneMenuConfig',
        welcome: CHINESE,
        menu_options: Array.from({ length: 9 }, (_, index) => ({
          digit: String(index + 1),
          action_type: 'TransferConfig',
          prompt: CHINESE,
          employee_ids: employeeIds,
        })),
      },
    },
  ],
  ...Object.fromEntries(
    ['messages', 'delivery_reports'].map((kind) => [
      `post /webhooks/telnyx/${kind}`,
      () => [
        { what: 'a megabyte', body: 'x'.repeat(MEBIBYTE), headers: JSON_TYPE },
        { what: 'many values', body: `{"data":[${'0,'.repeat(500_000)}0]}`, headers: JSON_TYPE },
      ],
    ]),
  ),
  'post /oauth/revoke': () => [{ what: 'a megabyte', body: `token=${'x'.repeat(MEBIBYTE - 6)}`, headers: FORM }],
};

/** The largest inputs that an operation accepts, and some that it only has to refuse. */
export function largestInputs(operation: Operation, schemas: Schemas, company: LargeCompany): LargeRequest[] {
  const { method, path, query, body } = operation;
  const own = ownCases[`${method} ${path}`]?.(company) ?? [];
  return [...own, ...queriesOf(query), ...(body ? bodiesOf(body, schemas) : [])];
}

function queriesOf(parameters: Operation['query']): LargeRequest[] {
  if (parameters.length === 0) return [];
  const each = Math.floor(QUERY_LENGTH_MAX / parameters.length);
  const filled = (fill: (length: number) => string) =>
    Object.fromEntries(
      parameters.map(({ name, schema }) => [
        name,
        schema.enum ? String(schema.enum.at(-1)) : fill(Math.min(each, schema.maxLength ?? each)),
      ]),
    );
  const accepted = parameters.filter(({ schema }) => schema.maxLength !== undefined || schema.enum);
  return [
    { what: 'long parameters', query: filled((length) => 'a'.repeat(length)) },
    { what: 'parameters of many words', query: filled((length) => 'a '.repeat(length / 2)) },
    ...accepted.map(({ name, schema }) => ({
      what: `a long ${name}`,
      query: { [name]: schema.enum ? String(schema.enum.at(-1)) : 'a b '.repeat(schema.maxLength! / 4) },
    })),
  ];
}

function bodiesOf({ mediaType, schema }: NonNullable<Operation['body']>, schemas: Schemas): LargeRequest[] {
  if (Object.keys(schema).length === 0) return [];
  const values = ['電話番号は', 'a b ', '+1', '\ud83d\ude42'].flatMap((fill) => largestValues(schema, schemas, fill));
  const isForm = mediaType === FORM['Content-Type'];
  const texts = Object.keys((values[0] as object | null) ?? {});
  return [
    ...values.map((body, index) => ({
      what: `the largest values (${index})`,
      body: isForm ? new URLSearchParams(body as Record<string, string>).toString() : JSON.stringify(body),
      headers: isForm ? FORM : JSON_TYPE,
    })),
    {
      what: 'a field of a megabyte',
      body: JSON.stringify({ ...(values[0] as object), [texts.at(-1) ?? 'x']: 'x'.repeat(MEBIBYTE - 100_000) }),
      headers: JSON_TYPE,
    },
    {
      what: 'many values',
      body: JSON.stringify({
        ...(values[0] as object),
        [texts.at(-1) ?? 'x']: Array.from({ length: 4_000 }, () => ({})),
      }),
      headers: JSON_TYPE,
    },
    { what: 'a form of many fields', body: many(1000, 'a[b]=c').replaceAll('\n', '&'), headers: FORM },
  ];
}
