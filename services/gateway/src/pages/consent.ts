import { createHash } from 'node:crypto';
import { type ContentResponse, type Markup, markup, redirect, endpoint } from '@parley/http';
import type { ConsentQuestion } from '@parley/proto/identity/v1/oauth_pb';
import { isOwnForm, staleForm, tokenField } from './forms.ts';
import { page, securityHeaders } from './page.ts';
import { queryOf, signInAgain, signInFirst } from './sign-in.ts';
import type { Visitor } from './visitor.ts';
import { t } from './words.ts';
import type { Clients } from '../peers/peers.ts';
import { authorizeQuery, readAuthorizationRequest } from '../oauth/authorization-request.ts';
import type { OAuthErrorFields } from '../oauth/oauth-json.ts';

const PATH = '/oauth/authorize';
const OWN_FIELDS = new Set(['form_token', 'decision']);

/** The request is checked before the sign-in, and again with the decision. */
export const showConsent = ({ oauth }: Clients) =>
  endpoint<Visitor>('none')({
    route: `GET ${PATH}`,
    tag: 'OAuth',
    summary: 'Request authorization',
    description:
      'Open this page in the browser of an employee, who signs in if necessary and allows or denies access. The browser is then redirected to `redirect_uri` with `code`, `state` and `iss`, or with `error` instead of `code`. If the client or the redirect URI is unknown, the page shows the error instead.',
    documents: { query: authorizeQuery },
    responses: { 200: 'text/html', 302: null, 303: null, 400: 'text/html', 401: 'text/html' },
    async handle({ context: visitor, request }) {
      const query = queryOf(request.url);
      const read = readAuthorizationRequest(query, visitor.baseUrl);
      if (!read.ok) return errorPage(visitor, { status: 400, ...read.problem });
      const { outcome } = await oauth.checkAuthorization({ request: read.parameters });
      if (outcome.case === 'redirect') return redirect(302, outcome.value, securityHeaders(visitor));
      if (outcome.case === 'error') return errorPage(visitor, outcome.value);
      if (outcome.case === undefined) throw new Error('identity returned no outcome');
      return signInFirst(visitor, `${PATH}?${query}`) ?? consentPage(visitor, outcome.value, query);
    },
  });

export const decideConsent = ({ oauth }: Clients) =>
  endpoint<Visitor>('none')({
    route: `POST ${PATH}`,
    tag: 'OAuth',
    summary: 'Allow or deny an app',
    responses: { 302: null, 303: null, 400: 'text/html', 401: 'text/html', 403: 'text/html' },
    async handle({ context: visitor, request, form }) {
      const parameters = new URLSearchParams([...(form ?? [])].filter(([name]) => !OWN_FIELDS.has(name)));
      const back = `${PATH}?${parameters}`;
      const first = signInFirst(visitor, back);
      if (first) return first;
      const decision = form?.getAll('decision') ?? [];
      const isDecision = decision.length === 1 && (decision[0] === 'allow' || decision[0] === 'deny');
      if (!isDecision || !isOwnForm(request, visitor, form, purposeOf(parameters))) return staleForm(visitor, back);
      const read = readAuthorizationRequest(parameters, visitor.baseUrl);
      if (!read.ok) return errorPage(visitor, { status: 400, ...read.problem });
      const { outcome } = await oauth.decideAuthorization({
        request: read.parameters,
        allowed: decision[0] === 'allow',
        session: visitor.session,
      });
      if (outcome.case === 'redirect') return redirect(302, outcome.value, securityHeaders(visitor));
      if (outcome.case === 'error') return errorPage(visitor, outcome.value);
      return signInAgain(visitor, back);
    },
  });

/** The token of a consent form is good for this very request only: no other app can be allowed with it. */
function purposeOf(parameters: URLSearchParams): string {
  return `consent ${createHash('sha256').update(parameters.toString()).digest('base64url')}`;
}

function consentPage(visitor: Visitor, question: ConsentQuestion, parameters: URLSearchParams): ContentResponse<200> {
  const { clientName, redirectHost, scope, redirectUri } = question;
  const hidden: Markup[] = [...parameters].map(
    ([name, value]) => markup`<input type="hidden" name="${name}" value="${value}">`,
  );
  const body = markup`<p>${t(visitor, '{app} requests access to Parley on your behalf.', { app: markup`<strong>${clientName}</strong>` })}</p>
<dl><dt>${t(visitor, 'Signed in as')}</dt><dd>${visitor.email}</dd>
<dt>${t(visitor, 'Your answer goes to')}</dt><dd>${redirectHost}</dd>
<dt>${t(visitor, 'Scope')}</dt><dd>${t(visitor, '{scope}: everything you can do through the API', { scope })}</dd></dl>
<form method="post" action="${PATH}">${tokenField(visitor, purposeOf(parameters))}${hidden}
<p class="actions"><button name="decision" value="allow">${t(visitor, 'Allow')}</button>
<button class="quiet" name="decision" value="deny">${t(visitor, 'Deny')}</button></p></form>
<p class="soft">${t(visitor, 'Allow it only if you know the app and have just asked it to connect.')}</p>`;
  const title = t(visitor, 'Allow {app}?', { app: clientName });
  return page(200, visitor, { title, body, formTargets: [formTarget(redirectUri)] });
}

/** The source expression that lets the browser follow the redirect; it has no way to write an IPv6 address. */
export function formTarget(redirectUri: string): string {
  const { protocol, host } = new URL(redirectUri);
  const isWeb = protocol === 'https:' || protocol === 'http:';
  return isWeb && !host.startsWith('[') ? `${protocol}//${host}` : protocol;
}

function errorPage(
  visitor: Visitor,
  { status, error, errorDescription }: OAuthErrorFields,
): ContentResponse<400 | 401> {
  const body = markup`<p>${t(visitor, 'The request of the app is invalid.')}</p>
<dl><dt>${t(visitor, 'Error')}</dt><dd><code>${error}</code></dd><dt>${t(visitor, 'Details')}</dt><dd>${errorDescription}</dd></dl>`;
  return page(status === 401 ? 401 : 400, visitor, { title: t(visitor, 'This app cannot be connected'), body });
}
