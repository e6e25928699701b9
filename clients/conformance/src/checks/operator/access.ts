import { ApiClient } from '../../http/api-client.ts';
import { freshBusinessNumber, freshWord } from '../../world/random.ts';
import { type Check, checksOf } from '../check.ts';

const { must } = checksOf('operator');
const OPERATOR = { source: 'local-stack.md: Operator API', profile: 'full' } as const;

/** Calls with their ids at `:id`. */
const CALLS: readonly (readonly [method: string, path: string, body?: object])[] = [
  ['PATCH', '/companies/:id', { messaging_enabled: true }],
  [
    'POST',
    '/companies/:id/business_numbers',
    { number: freshBusinessNumber(), name: 'Main', timezone: 'Europe/Copenhagen', language: 'da' },
  ],
  ['PATCH', '/business_numbers/:id', { active: false }],
  ['PUT', '/business_numbers/:id/registration', { status: 'pending' }],
  ['POST', '/employees/:id/api_keys', { name: 'Key' }],
  ['DELETE', '/api_keys/:id'],
  ['PUT', '/employees/:id/password', { password: 'correct horse battery staple' }],
];

export const accessChecks: readonly Check[] = [
  must(1, 'The operator API needs its token.', OPERATOR, async ({ network, operator, companies }) => {
    const company = await companies.shared();
    for (const headers of [
      {},
      { Authorization: 'Bearer wrong' },
      { Authorization: operator.headers['Authorization']!.replace('Bearer ', '') },
      { Authorization: `Bearer ${company.apiKey}` },
      { 'X-Api-Key': company.apiKey },
    ] as Record<string, string>[]) {
      const stranger = new ApiClient(network, operator.base, '/operator/v1', headers);
      await stranger.patch(`/companies/${company.id}`, { name: 'Mine' }).isRefused(401);
      await stranger.post(`/employees/${company.owner.id}/api_keys`, { name: 'Mine' }).isRefused(401);
    }
  }),

  must(2, 'The operator API is not at the public address.', OPERATOR, async ({ http, operator, companies }) => {
    const company = await companies.shared();
    for (const path of ['/operator/v1', '/api/v1', '/api/v1/operator/v1', ''])
      await http.patch(`${path}/companies/${company.id}`, { name: 'Mine' }, operator.headers).gives(404);
  }),

  must(3, 'The public API does not take the token of the operator.', OPERATOR, async ({ http, operator }) => {
    await http.get('/api/v1/company', operator.headers).isRefused(401);
    await http
      .get('/api/v1/company', { 'X-Api-Key': operator.headers['Authorization']!.split(' ')[1]! })
      .isRefused(401);
  }),

  must(4, 'Unknown ids are answered with 404.', OPERATOR, async ({ operator }) => {
    for (const [method, path, body] of CALLS)
      await operator.send(method, path.replace(':id', `x_${freshWord()}`), { body }).isNotFound();
    await operator.get('/nothing').isNotFound();
  }),
];
