import { freshPhone, freshWord } from '../../world/random.ts';
import { type Check, checksOf } from '../check.ts';
import { ENDPOINTS } from '../endpoints.ts';

const { must } = checksOf('authentication');
const KEYS = { source: 'service-api.md: API keys', profile: 'api' } as const;
const TOKENS = { source: 'service-api.md: OAuth 2.0 bearer tokens', profile: 'api' } as const;
const CREDENTIALS = { source: 'decisions.md: Credentials', profile: 'api' } as const;

const INVALID_TOKEN = { 'www-authenticate': 'Bearer error="invalid_token"' };
const UNKNOWN_KEY = { 'X-Api-Key': `pk_${'a'.repeat(43)}` };
const UNKNOWN_TOKEN = { Authorization: `Bearer ${'a'.repeat(43)}` };

export const refusalChecks: readonly Check[] = [
  must(1, 'Every endpoint needs a credential.', KEYS, async ({ companies }) => {
    const nobody = (await companies.shared()).withHeaders({});
    for (const [method, path] of ENDPOINTS)
      await nobody.send(method, path.replace(/:\w+/g, 'x'.repeat(20))).isRefused(401);
  }),

  must(2, 'A request without a credential is answered `Missing credentials`.', CREDENTIALS, async ({ companies }) => {
    const nobody = (await companies.shared()).withHeaders({});
    await nobody.get('/company').isRefused(401, { error: 'Missing credentials' });
  }),

  must(3, 'An unknown key is answered `Invalid API key`.', KEYS, async ({ companies }) => {
    const stranger = (await companies.shared()).withHeaders(UNKNOWN_KEY);
    await stranger.get('/company').isRefused(401, { error: 'Invalid API key' });
    await stranger.post('/contacts', { phone: freshPhone() }).isRefused(401, { error: 'Invalid API key' });
  }),

  must(4, 'A key that is none is refused as an unknown one, whatever it consists of.', KEYS, async ({ companies }) => {
    const company = await companies.shared();
    for (const key of ['x', 'pk_', 'undefined', '{"$ne":null}', "' OR '1'='1", 'k'.repeat(4000)])
      await company.withHeaders({ 'X-Api-Key': key }).get('/company').isRefused(401, { error: 'Invalid API key' });
  }),

  must(5, 'A key with a character more, less or in another case is unknown.', KEYS, async ({ companies }) => {
    const company = await companies.shared();
    const { apiKey: key } = company;
    for (const wrong of [`${key}A`, key.slice(0, -1), key.toLowerCase(), key.toUpperCase()])
      if (wrong !== key) await company.withHeaders({ 'X-Api-Key': wrong }).get('/company').isRefused(401);
  }),

  must(6, 'A request without a credential is asked for one by `WWW-Authenticate`.', CREDENTIALS, async (context) => {
    const nobody = (await context.companies.shared()).withHeaders({});
    await nobody.get('/company').givesHeaders(401, INVALID_TOKEN);
    await nobody.post('/contacts', { phone: freshPhone() }).givesHeaders(401, INVALID_TOKEN);
  }),

  must(7, 'An unknown token is refused with `WWW-Authenticate`.', TOKENS, async ({ companies }) => {
    const stranger = (await companies.shared()).withHeaders(UNKNOWN_TOKEN);
    await stranger.get('/company').givesHeaders(401, INVALID_TOKEN);
    await stranger.delete(`/contacts/con_${freshWord()}`).givesHeaders(401, INVALID_TOKEN);
  }),

  must(8, 'A malformed `Authorization` header is refused with `WWW-Authenticate`.', TOKENS, async ({ companies }) => {
    const company = await companies.shared();
    for (const header of ['Bearer', 'Bearer a b', 'Bearer \u00e6', `Bearer ${'t'.repeat(4000)}`])
      await company.withHeaders({ Authorization: header }).get('/company').givesHeaders(401, INVALID_TOKEN);
  }),

  must(9, 'Where a key and a token are sent, the token counts.', CREDENTIALS, async ({ companies }) => {
    const company = await companies.shared();
    await company
      .withHeaders({ 'X-Api-Key': company.apiKey, ...UNKNOWN_TOKEN })
      .get('/company')
      .givesHeaders(401, INVALID_TOKEN);
  }),

  must(10, 'A request that is refused for its credential has no effect.', KEYS, async ({ companies }) => {
    const company = await companies.shared();
    const phone = freshPhone();
    await company.withHeaders(UNKNOWN_KEY).post('/contacts', { phone }).isRefused(401);
    await company.get(`/contacts?phone=${encodeURIComponent(phone)}`).gives(200, []);
  }),

  must(11, 'A key counts in its header alone.', KEYS, async ({ companies }) => {
    const company = await companies.shared();
    const nobody = company.withHeaders({});
    for (const name of ['api_key', 'X-Api-Key', 'x_api_key'])
      await nobody.get(`/company?${name}=${company.apiKey}`).isRefused(401);
    await nobody.get('/company', { Cookie: `X-Api-Key=${company.apiKey}` }).isRefused(401);
  }),
];
