import { expect, expectThat } from '../../expectations/expect.ts';
import { absent, between, someText } from '../../expectations/shapes.ts';
import { freshWord } from '../../world/random.ts';
import { type Check, checksOf } from '../check.ts';
import { REDIRECT_URI } from './app.ts';

const { must } = checksOf('oauth');
/** What is refused leaves nothing; a client that was registered cannot be removed. */
const REFUSED = { source: 'service-api.md: OAuth 2.0 bearer tokens', profile: 'api' } as const;
const REGISTERED = { source: 'service-api.md: OAuth 2.0 bearer tokens', profile: 'full' } as const;

const DAY_SECS = 86_400;
const client = (changes: object = {}) => ({
  client_name: `Conformance ${freshWord()}`,
  redirect_uris: [REDIRECT_URI],
  token_endpoint_auth_method: 'none',
  ...changes,
});

export const registrationChecks: readonly Check[] = [
  must(1, 'A client that registers itself gets an id, and no secret.', REGISTERED, async ({ http, clock }) => {
    const sent = client();
    const now = (await clock.now()).getTime() / 1000;
    const made = await http.post('/oauth/register', sent).gives(201, {
      ...sent,
      client_id: someText,
      client_id_issued_at: between(now - DAY_SECS, now + DAY_SECS),
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      scope: 'api',
      client_secret: absent,
    });
    const other = await http.post('/oauth/register', sent).gives(201);
    expectThat(made.client_id !== other.client_id, 'two clients have one id');
    expectThat(Number.isInteger(made.client_id_issued_at), '`client_id_issued_at` is no integer');
  }),

  must(
    2,
    'A client may be redirected to https and to loopback addresses with any port.',
    REGISTERED,
    async ({ http }) => {
      const uris = [
        'https://app.example.com/callback',
        'http://127.0.0.1:1/callback',
        'http://localhost:65535/callback',
        'http://localhost/callback',
        'http://[::1]:49152/callback',
      ];
      await http.post('/oauth/register', client({ redirect_uris: uris })).gives(201, { redirect_uris: uris });
    },
  ),

  must(3, 'A client cannot register another redirect URI.', REFUSED, async ({ http }) => {
    for (const uri of [
      'http://app.example.com/callback',
      'http://127.0.0.1.example.com/callback',
      'http://localhost.example.com/callback',
      'myapp://callback',
      'javascript:alert(1)',
      'data:text/html,hello',
      'ftp://app.example.com/callback',
      '/callback',
      '',
    ])
      await http
        .post('/oauth/register', client({ redirect_uris: [REDIRECT_URI, uri] }))
        .gives(400, { error: 'invalid_redirect_uri', error_description: someText });
  }),

  must(4, 'A client needs a redirect URI.', REFUSED, async ({ http }) => {
    for (const uris of [undefined, null, [], REDIRECT_URI, [17]]) {
      const body = await http.post('/oauth/register', client({ redirect_uris: uris })).gives(400);
      expect(body, { error: someText, error_description: someText }, 'the body of the refusal');
    }
  }),

  must(5, 'A client that registers itself never gets more than the scope `api`.', REGISTERED, async ({ http }) => {
    for (const scope of ['web', 'api web']) {
      const { status, body } = await http.post('/oauth/register', client({ scope }));
      expect(status === 201 ? body.scope : 'api', 'api', 'the scope of the client');
      expectThat([201, 400].includes(status), `it was answered with ${status}`);
    }
  }),

  must(6, 'A client that asks for a secret gets none.', REGISTERED, async ({ http }) => {
    const { status, body } = await http.post(
      '/oauth/register',
      client({ token_endpoint_auth_method: 'client_secret_basic' }),
    );
    expectThat([201, 400].includes(status), `it was answered with ${status}`);
    expect(body, { client_secret: absent }, 'the answer');
    if (status === 201) expect(body.token_endpoint_auth_method, 'none', '`token_endpoint_auth_method`');
  }),
];
