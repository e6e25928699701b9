import { expect, expectThat } from '../../expectations/expect.ts';
import type { Page } from '../../world/browser.ts';
import { textOf } from '../../world/forms.ts';
import { type Check, checksOf } from '../check.ts';
import { appOfOwner, REDIRECT_URI, registerApp } from './app.ts';

const { must } = checksOf('oauth');
const FLOW = { source: 'service-api.md: OAuth 2.0 bearer tokens', profile: 'full' } as const;
const CREDENTIALS = { source: 'decisions.md: Credentials', profile: 'full' } as const;
const PAGES = { source: 'local-stack.md: Pages a person sees', profile: 'full' } as const;
const STATE = 'a state & more';

/** The parameters with which the browser was sent back to the app. */
function sentBack({ leaves, reply }: Page, issuer: string): URLSearchParams {
  expectThat(leaves?.href.startsWith(`${REDIRECT_URI}?`) ?? false, `it leads to ${leaves?.href ?? reply.status}`);
  const { searchParams } = leaves!;
  expect(searchParams.get('iss'), issuer, '`iss`');
  return searchParams;
}

export const authorizationChecks: readonly Check[] = [
  must(20, 'Who allows an app is sent back with a code, the state and the issuer.', FLOW, async (context) => {
    const app = await appOfOwner(context);
    const page = await app.browser.press(await app.consent(), 'Allow');
    const sent = sentBack(page, context.target.baseUrl);
    expect(sent.get('state'), STATE, '`state`');
    expectThat((sent.get('code') ?? '').length >= 20, `the code is ${sent.get('code')}`);
    expect(sent.get('error'), null, '`error`');
  }),

  must(21, 'Who denies an app is sent back with `access_denied` and the state.', FLOW, async (context) => {
    const app = await appOfOwner(context);
    const sent = sentBack(await app.browser.press(await app.consent(), 'Deny'), context.target.baseUrl);
    expect([sent.get('error'), sent.get('state'), sent.get('code')], ['access_denied', STATE, null], 'the parameters');
  }),

  must(22, "The page shows the app's name, where it leads and the scope.", PAGES, async (context) => {
    const app = await appOfOwner(context);
    const { reply } = await app.consent();
    const shown = textOf(reply.text);
    for (const words of [app.name, '127.0.0.1', 'api'])
      expectThat(shown.includes(words), `the page does not show ${words}: ${shown}`);
  }),

  must(23, 'Consent is asked every time.', CREDENTIALS, async (context) => {
    const app = await appOfOwner(context);
    await app.tokens();
    const { reply, leaves } = await app.consent();
    expect([reply.status, leaves === undefined], [200, true], 'the answer to the second request');
    await app.tokens();
  }),

  must(24, 'An unknown client sees an error page and is never redirected.', CREDENTIALS, async (context) => {
    const app = await registerApp(context);
    for (const id of ['app_unknown', '', undefined]) {
      const { reply, leaves } = await app.consent({ client_id: id });
      expectThat(leaves === undefined, `it leads to ${leaves?.href}`);
      if (id === 'app_unknown') expect(reply.status, 401, 'the status');
      else expectThat(reply.status >= 400 && reply.status < 500, `the status is ${reply.status}`);
    }
  }),

  must(25, 'A redirect URI that does not match exactly leads nowhere.', CREDENTIALS, async (context) => {
    const app = await registerApp(context);
    for (const uri of [
      `${REDIRECT_URI}/`,
      `${REDIRECT_URI}?x=1`,
      REDIRECT_URI.replace('53682', '53683'),
      REDIRECT_URI.replace('127.0.0.1', 'localhost'),
      REDIRECT_URI.replace('callback', 'Callback'),
      `${REDIRECT_URI}/../callback`,
      'https://evil.example/callback',
    ]) {
      const { reply, leaves } = await app.consent({ redirect_uri: uri });
      expect([reply.status, leaves?.href], [400, undefined], `the status and target for ${uri}`);
    }
  }),

  must(26, 'Every other error is told to the app, with the state.', FLOW, async (context) => {
    const app = await appOfOwner(context);
    const wrong: readonly (readonly [changes: Record<string, string | undefined>, error: string])[] = [
      [{ code_challenge: undefined }, 'invalid_request'],
      [{ code_challenge: '' }, 'invalid_request'],
      [{ code_challenge_method: undefined }, 'invalid_request'],
      [{ code_challenge_method: 'plain' }, 'invalid_request'],
      [{ response_type: undefined }, 'invalid_request'],
      [{ response_type: 'token' }, 'unsupported_response_type'],
      [{ scope: undefined }, 'invalid_request'],
      [{ scope: 'everything' }, 'invalid_scope'],
      [{ scope: 'api everything' }, 'invalid_scope'],
      [{ scope: 'web' }, 'invalid_scope'],
    ];
    for (const [changes, error] of wrong) {
      const sent = sentBack(await app.consent(changes), context.target.baseUrl);
      expect(
        [sent.get('error'), sent.get('state'), sent.get('code')],
        [error, STATE, null],
        `for ${JSON.stringify(changes)}`,
      );
    }
    const sent = sentBack(await app.consent({ state: undefined }), context.target.baseUrl);
    expect([sent.get('error'), sent.get('code')], ['invalid_request', null], 'without a state');
  }),

  must(
    27,
    'A parameter that is repeated is an error.',
    { ...FLOW, source: 'service-api.md: OAuth errors' },
    async (context) => {
      const app = await appOfOwner(context);
      for (const parameter of ['state', 'scope', 'code_challenge', 'response_type']) {
        const path = app.authorizePath();
        const value = new URLSearchParams(path.split('?')[1]).get(parameter)!;
        const page = await app.browser.open(`${path}&${new URLSearchParams({ [parameter]: value })}`);
        const sent = sentBack(page, context.target.baseUrl);
        expect([sent.get('error'), sent.get('code')], ['invalid_request', null], `for ${parameter}`);
      }
    },
  ),

  must(28, 'Somebody who is not signed in gets no code.', FLOW, async (context) => {
    const app = await registerApp(context);
    const { leaves, reply } = await app.consent();
    expectThat(leaves === undefined, `it leads to ${leaves?.href}`);
    expectThat(!textOf(reply.text).includes('Allow'), 'it shows the page with the button Allow');
  }),
];
