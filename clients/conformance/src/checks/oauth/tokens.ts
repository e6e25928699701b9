import { expect, expectThat } from '../../expectations/expect.ts';
import { someText } from '../../expectations/shapes.ts';
import { freshPhone } from '../../world/random.ts';
import { type Check, checksOf } from '../check.ts';
import { appOfOwner, INVALID_GRANT, REDIRECT_URI, registerApp, TOKENS, withToken } from './app.ts';

const { must } = checksOf('oauth');
const FLOW = { source: 'service-api.md: OAuth 2.0 bearer tokens', profile: 'full' } as const;
const ERRORS = { source: 'service-api.md: OAuth errors', profile: 'full' } as const;
const CREDENTIALS = { source: 'decisions.md: Credentials', profile: 'full' } as const;
const SENSITIVE = { source: 'people.md: Sensitive changes', profile: 'full' } as const;
const DAY_SECS = 86_400;

export const tokenChecks: readonly Check[] = [
  must(40, 'A code is exchanged for tokens that act for the employee.', FLOW, async (context) => {
    const [company, app] = [await context.companies.shared(), await appOfOwner(context)];
    const now = (await context.clock.now()).getTime() / 1000;
    const tokens = await app.redeem(await app.code()).gives(200, TOKENS);
    expectThat(Math.abs(tokens.created_at - now) < DAY_SECS, `created_at is ${tokens.created_at}, and it is ${now}`);
    expectThat(tokens.access_token !== tokens.refresh_token, 'both tokens are the same');
    const client = withToken(context, tokens.access_token);
    await client.get('/company').gives(200, { id: company.id });
    const { id } = await client.post('/contacts', { phone: freshPhone() }).gives(201);
    await company.get(`/contacts/${id}`).gives(200, { id });
    await context.http.get('/api/v1/company', { Authorization: `Bearer ${tokens.refresh_token}` }).isRefused(401);
  }),

  must(41, 'A code counts only with its verifier, redirect URI and client.', FLOW, async (context) => {
    const [app, other] = [await appOfOwner(context), await registerApp(context)];
    const wrong: readonly Record<string, string>[] = [
      { code_verifier: 'x'.repeat(43) },
      { code_verifier: app.verifier.toUpperCase() },
      { redirect_uri: `${REDIRECT_URI}/` },
      { client_id: other.clientId },
    ];
    for (const changes of wrong)
      await app.redeem(await app.code(), changes).gives(400, { ...INVALID_GRANT, error_description: someText });
  }),

  must(42, 'A code counts once, and a second use revokes its tokens.', CREDENTIALS, async (context) => {
    const app = await appOfOwner(context);
    const code = await app.code();
    const tokens = await app.redeem(code).gives(200);
    const client = withToken(context, tokens.access_token);
    await client.get('/company').gives(200);
    await app.redeem(code).gives(400, INVALID_GRANT);
    await client.get('/company').isRefused(401);
    await app.refresh(tokens.refresh_token).gives(400, INVALID_GRANT);
  }),

  must(43, 'Errors of the token endpoint have the codes of the standard.', ERRORS, async (context) => {
    const app = await registerApp(context);
    const unknown = { grant_type: 'authorization_code', code: 'unknown', code_verifier: app.verifier };
    const code = { ...unknown, client_id: app.clientId, redirect_uri: REDIRECT_URI };
    const described = (error: string) => ({ error, error_description: someText });
    await app.token(code).gives(400, described('invalid_grant'));
    await app.refresh('unknown').gives(400, described('invalid_grant'));
    for (const name of Object.keys(code)) {
      const { [name as keyof typeof code]: _, ...others } = code;
      await app.token(others).gives(400, described('invalid_request'));
    }
    await app.token({ grant_type: 'refresh_token', client_id: app.clientId }).gives(400, described('invalid_request'));
    await app.token({ ...code, client_id: 'app_unknown' }).gives(401, described('invalid_client'));
    await app.refresh('unknown', { client_id: 'app_unknown' }).gives(401, described('invalid_client'));
    for (const type of ['password', 'client_credentials', 'implicit'])
      await app.token({ ...code, grant_type: type }).gives(400, described('unsupported_grant_type'));
  }),

  must(44, 'A field that is repeated is an error at the token endpoint.', ERRORS, async (context) => {
    const app = await appOfOwner(context);
    const code = await app.code();
    const fields = new URLSearchParams({
      grant_type: 'authorization_code',
      code,
      redirect_uri: REDIRECT_URI,
      client_id: app.clientId,
      code_verifier: app.verifier,
    });
    for (const name of ['code', 'client_id', 'grant_type']) {
      const repeated = new URLSearchParams(fields);
      repeated.append(name, fields.get(name)!);
      await context.http.postForm('/oauth/token', repeated).gives(400, { error: 'invalid_request' });
    }
  }),

  must(45, 'A refresh gives new tokens, and its token counts no more.', CREDENTIALS, async (context) => {
    const app = await appOfOwner(context);
    const first = await app.tokens();
    const second = await app.refresh(first.refresh_token).gives(200, TOKENS);
    expectThat(second.refresh_token !== first.refresh_token, 'the refresh token stays the same');
    expectThat(second.access_token !== first.access_token, 'the access token stays the same');
    await withToken(context, second.access_token).get('/company').gives(200);
    // Within 30 s that is an accident: nothing else happens.
    await app.refresh(first.refresh_token).gives(400, INVALID_GRANT);
    await withToken(context, second.access_token).get('/company').gives(200);
    await app.refresh(second.refresh_token).gives(200, TOKENS);
  }),

  must(46, 'Refreshes at the same time never make a second chain.', CREDENTIALS, async (context) => {
    const app = await appOfOwner(context);
    const { refresh_token: token } = await app.tokens();
    const replies = await Promise.all(Array.from({ length: 6 }, () => app.refresh(token)));
    const given = replies.filter(({ status }) => status === 200);
    expectThat(given.length > 0, `none of ${replies.length} refreshes succeeds`);
    for (const { status, body } of replies)
      if (status !== 200) expect([status, body.error], [400, 'invalid_grant'], 'the refusal');
    const chains = new Set(given.map(({ body }) => body.refresh_token));
    expect(chains.size, 1, 'the number of refresh tokens that were given');
    await app.refresh([...chains][0]).gives(200, TOKENS);
  }),

  must(47, "A refresh token is its client's.", FLOW, async (context) => {
    const [app, other] = [await appOfOwner(context), await registerApp(context)];
    const { refresh_token: token } = await app.tokens();
    await app.refresh(token, { client_id: other.clientId }).gives(400, INVALID_GRANT);
    await app.refresh(token).gives(200, TOKENS);
  }),

  must(48, 'The second factor, and owners, are not changed with a token.', SENSITIVE, async (context) => {
    const [company, app] = [await context.companies.shared(), await appOfOwner(context)];
    const { id } = await company.hire();
    const client = withToken(context, (await app.tokens()).access_token);
    await client.patch('/company', { requires_two_factor: true }).isRefused(403, { error: 'forbidden' });
    await client.patch(`/employees/${id}`, { role: 'owner' }).isRefused(403, { error: 'forbidden' });
    await client.patch(`/employees/${id}`, { role: 'admin' }).gives(200, { role: 'admin' });
    await company.get('/company').gives(200, { requires_two_factor: false });
  }),

  must(49, 'Where a key and a token are sent, the token decides, whatever the key.', CREDENTIALS, async (context) => {
    const [another, app] = [await context.companies.another(), await appOfOwner(context)];
    const { access_token: token } = await app.tokens();
    const company = await context.companies.shared();
    for (const key of ['pk_unknown', another.apiKey])
      await context.http
        .get('/api/v1/company', { 'X-Api-Key': key, Authorization: `Bearer ${token}` })
        .gives(200, { id: company.id });
  }),
];
