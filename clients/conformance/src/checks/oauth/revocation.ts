import { eventually } from '../../expectations/eventually.ts';
import { prepared } from '../../world/prepared.ts';
import { freshWord } from '../../world/random.ts';
import { type Check, checksOf } from '../check.ts';
import { appOfOwner, INVALID_GRANT, registerApp, TOKENS, withToken } from './app.ts';

const { must } = checksOf('oauth');
const FLOW = { source: 'service-api.md: OAuth 2.0 bearer tokens', profile: 'full' } as const;
const CREDENTIALS = { source: 'decisions.md: Credentials', profile: 'full' } as const;
const INVALID_TOKEN = { 'www-authenticate': 'Bearer error="invalid_token"' };
const AT_ONCE = { withinMs: 1000 };

export const revocationChecks: readonly Check[] = [
  must(60, 'A revoked access token is refused.', FLOW, async (context) => {
    const app = await appOfOwner(context);
    const { access_token: token } = await app.tokens();
    const client = withToken(context, token);
    await client.get('/company').gives(200);
    await app.revoke(token).gives(200);
    await eventually('it is refused', () => client.get('/company').givesHeaders(401, INVALID_TOKEN), AT_ONCE);
  }),

  must(61, 'A revoked refresh token gives no tokens.', FLOW, async (context) => {
    const app = await appOfOwner(context);
    const { refresh_token: token } = await app.tokens();
    await app.revoke(token).gives(200);
    await app.refresh(token).gives(400, INVALID_GRANT);
  }),

  must(
    62,
    'A revocation is answered with 200, whatever is sent.',
    { ...CREDENTIALS, profile: 'api' },
    async ({ http }) => {
      for (const fields of [
        { token: 'unknown', client_id: 'app_unknown' },
        { token: 'unknown' },
        { client_id: 'app_unknown' },
        {},
        { token: 'x'.repeat(4000), client_id: "'" },
      ] as Record<string, string>[])
        await http.postForm('/oauth/revoke', fields).gives(200);
    },
  ),

  must(63, "Another client's token is not revoked.", FLOW, async (context) => {
    const [app, other] = [await appOfOwner(context), await registerApp(context)];
    const { refresh_token: token } = await app.tokens();
    await other.revoke(token).gives(200);
    await app.refresh(token).gives(200, TOKENS);
  }),

  must(64, "A removed employee's tokens stop at once.", CREDENTIALS, async (context) => {
    const [company, app] = [await context.companies.shared(), await registerApp(context)];
    const { id, email } = await company.hire();
    const password = `correct horse ${freshWord()} staple`;
    await prepared(context.operator.put(`/employees/${id}/password`, { password }), 204);
    await app.signIn({ email, password });
    const tokens = await app.tokens();
    const client = withToken(context, tokens.access_token);
    await client.get(`/employees/${id}`).gives(200, { id });
    await company.delete(`/employees/${id}`).givesNothing();
    await eventually('the token is refused', () => client.get('/company').givesHeaders(401, INVALID_TOKEN), AT_ONCE);
    await app.refresh(tokens.refresh_token).gives(400, INVALID_GRANT);
  }),
];
