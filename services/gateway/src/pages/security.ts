import { type ContentResponse, type EmptyResponse, type Markup, markup, redirect, endpoint } from '@parley/http';
import { SessionStage } from '@parley/proto/identity/v1/credentials_pb';
import encodeQR from 'qr';
import type { Clients } from '../peers/peers.ts';
import { field, isOwnForm, ownPath, tokenField } from './forms.ts';
import { ownAddressForm } from './confirm-address-signed-in.ts';
import { page } from './page.ts';
import { queryOf, sessionCookies } from './sign-in.ts';
import { signInFirst, staleForm } from './signed-in.ts';
import { type Visitor, visitorToProto } from './visitor.ts';
import { t } from './words.ts';

const PATH = '/dashboard/security';
const PURPOSE = 'second factor';
const TOO_MANY = 'Too many attempts. Please try again later.';

/** The page is open to signed-in employees, and to employees who must set up a second factor first. */
function notYet(visitor: Visitor): EmptyResponse<303> | undefined {
  return visitor.stage === SessionStage.ENROLMENT ? undefined : signInFirst(visitor, PATH);
}

export const showSecurity = (clients: Clients) =>
  endpoint<Visitor>()({
    role: 'none',
    method: 'get',
    path: PATH,
    tag: 'Pages',
    summary: 'Show the second factor',
    responses: { 200: 'text/html', 303: null },
    async handle({ context: visitor, request }) {
      const returnTo = ownPath(queryOf(request.url).get('return_to'));
      return notYet(visitor) ?? securityPage(200, clients, visitor, returnTo);
    },
  });

export const confirmTwoFactor = (clients: Clients) =>
  endpoint<Visitor>()({
    role: 'none',
    method: 'post',
    path: `${PATH}/confirm`,
    tag: 'Pages',
    summary: 'Switch the second factor on',
    responses: { 200: 'text/html', 303: null, 403: 'text/html', 422: 'text/html', 429: 'text/html' },
    async handle({ context: visitor, request, form }) {
      const first = notYet(visitor);
      if (first) return first;
      if (!isOwnForm(request, visitor, form, PURPOSE)) return staleForm(visitor, PATH);
      const returnTo = ownPath(form?.get('return_to'));
      const { confirmed, recoveryCodes, opened, throttled } = await clients.signIn.confirmTwoFactor({
        code: form?.get('code') ?? '',
        visitor: visitorToProto(visitor),
      });
      if (throttled) return securityPage(429, clients, visitor, returnTo, t(visitor, TOO_MANY));
      if (!confirmed) return securityPage(422, clients, visitor, returnTo, t(visitor, 'That code is wrong.'));
      const body = markup`<p>${t(
        visitor,
        'Your second factor is on. Keep these recovery codes where you keep other important papers: each signs you in once if you lose your phone. They are not shown again.',
      )}</p>
<ul>${recoveryCodes.map((code) => markup`<li><code>${code}</code></li>`)}</ul>
<p><a href="${returnTo}">${t(visitor, 'Continue')}</a></p>`;
      const cookies = opened ? sessionCookies(visitor, opened) : [];
      return page(200, { ...visitor, employee: undefined }, { title: t(visitor, 'Recovery codes'), body, cookies });
    },
  });

export const disableTwoFactor = (clients: Clients) =>
  endpoint<Visitor>()({
    role: 'none',
    method: 'post',
    path: `${PATH}/disable`,
    tag: 'Pages',
    summary: 'Switch the second factor off',
    responses: { 303: null, 403: 'text/html', 409: 'text/html', 422: 'text/html', 429: 'text/html' },
    async handle({ context: visitor, request, form }) {
      const first = signInFirst(visitor, PATH);
      if (first) return first;
      if (!isOwnForm(request, visitor, form, PURPOSE)) return staleForm(visitor, PATH);
      const { disabled, required, throttled } = await clients.signIn.disableTwoFactor({
        code: form?.get('code') ?? '',
        session: visitor.session,
      });
      if (disabled) return redirect(303, PATH);
      if (required)
        return securityPage(409, clients, visitor, PATH, t(visitor, 'Your company requires a second factor.'));
      if (throttled) return securityPage(429, clients, visitor, PATH, t(visitor, TOO_MANY));
      return securityPage(422, clients, visitor, PATH, t(visitor, 'That code is wrong.'));
    },
  });

async function securityPage<const Status extends number>(
  status: Status,
  { signIn }: Clients,
  visitor: Visitor,
  returnTo: string,
  alert?: Markup,
): Promise<ContentResponse<Status>> {
  const { session } = visitor;
  const { enabled, required, recoveryCodesLeft } = await signIn.getTwoFactor({ session });
  const title = t(visitor, 'Security');
  const address = visitor.employee && ownAddressForm(visitor, enabled);
  if (enabled) {
    const off = markup`<form method="post" action="${PATH}/disable">${tokenField(visitor, PURPOSE)}
${field({ label: t(visitor, 'One-time code'), name: 'code', autocomplete: 'one-time-code' })}
<p><button class="danger">${t(visitor, 'Switch off')}</button></p></form>`;
    const body = markup`${address}<section><p>${t(visitor, 'Your second factor is on. You have {count} recovery codes left.', { count: recoveryCodesLeft })}</p></section>
${required ? markup`<p class="soft">${t(visitor, 'Your company requires it.')}</p>` : off}`;
    return page(status, visitor, { title, body, alert });
  }
  const { secret, otpauthUri } = await signIn.beginTwoFactor({ session, afterWrongCode: alert !== undefined });
  const body = markup`${address}<form method="post" action="${PATH}/confirm">${tokenField(visitor, PURPOSE)}
<h2>${t(visitor, 'Set up a second factor')}</h2>${required && markup`<p><strong>${t(visitor, 'Your company requires it.')}</strong></p>`}
<input type="hidden" name="return_to" value="${returnTo}">
<p>${t(visitor, 'Scan this with an authenticator app, or type the secret.')}</p>
<div class="qr" role="img" aria-label="${t(visitor, 'QR code with the secret')}">${{ html: encodeQR(otpauthUri, 'svg') }}</div>
<p>${t(visitor, 'Secret:')} <code>${secret}</code></p>
${field({ label: t(visitor, 'One-time code'), name: 'code', autocomplete: 'one-time-code', hint: t(visitor, 'The six digits the app shows.') })}
<p><button>${t(visitor, 'Switch on')}</button></p></form>`;
  return page(status, visitor, { title, body, alert });
}
