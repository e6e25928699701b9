import { type ContentResponse, type Markup, markup, redirect, endpoint } from '@parley/http';
import { SessionStage } from '@parley/proto/identity/v1/credentials_pb';
import encodeQR from 'qr';
import type { Clients } from '../peers/peers.ts';
import { dashboardPage } from './dashboard-page.ts';
import { field, isOwnForm, ownPath, staleForm, tokenField } from './forms.ts';
import { page } from './page.ts';
import { queryOf, sessionCookies, signInFirst } from './sign-in.ts';
import { type Visitor, visitorToProto } from './visitor.ts';
import { t } from './words.ts';

const PATH = '/dashboard/security';
const PURPOSE = 'second factor';

/** An employee who must set up a second factor before the sign-in is complete does it here; afterwards the page is the dashboard's. */
export const showEnrolment = (clients: Clients) =>
  endpoint<Visitor>('none')({
    route: `GET ${PATH}`,
    summary: 'Show the second factor',
    responses: { 200: 'text/html', 303: null },
    handle({ context: visitor, request }) {
      if (visitor.stage !== SessionStage.ENROLMENT)
        return signInFirst(visitor, request.url ?? PATH) ?? dashboardPage(visitor, 'security');
      return enrolmentPage(200, clients, visitor, ownPath(queryOf(request.url).get('return_to')));
    },
  });

export const confirmTwoFactor = (clients: Clients) =>
  endpoint<Visitor>('none')({
    route: `POST ${PATH}/confirm`,
    summary: 'Switch the second factor on',
    responses: { 200: 'text/html', 303: null, 403: 'text/html', 422: 'text/html', 429: 'text/html' },
    async handle({ context: visitor, request, form }) {
      if (visitor.stage !== SessionStage.ENROLMENT) return redirect(303, PATH);
      if (!isOwnForm(request, visitor, form, PURPOSE)) return staleForm(visitor, PATH);
      const returnTo = ownPath(form?.get('return_to'));
      const { confirmed, recoveryCodes, opened, throttled } = await clients.signIn.confirmTwoFactor({
        code: form?.get('code') ?? '',
        visitor: visitorToProto(visitor),
      });
      if (throttled) {
        const alert = t(visitor, 'Too many attempts. Please try again later.');
        return enrolmentPage(429, clients, visitor, returnTo, alert);
      }
      if (!confirmed) return enrolmentPage(422, clients, visitor, returnTo, t(visitor, 'That code is wrong.'));
      const body = markup`<p>${t(
        visitor,
        'Your second factor is on. Keep these recovery codes where you keep other important papers: each signs you in once if you lose your phone. They are not shown again.',
      )}</p>
<ul>${recoveryCodes.map((code) => markup`<li><code>${code}</code></li>`)}</ul>
<p><a href="${returnTo}">${t(visitor, 'Continue')}</a></p>`;
      const cookies = opened ? sessionCookies(visitor, opened) : [];
      return page(200, visitor, { title: t(visitor, 'Recovery codes'), body, cookies });
    },
  });

async function enrolmentPage<const Status extends number>(
  status: Status,
  { signIn }: Clients,
  visitor: Visitor,
  returnTo: string,
  alert?: Markup,
): Promise<ContentResponse<Status>> {
  const { session } = visitor;
  const title = t(visitor, 'Security');
  const { enabled, recoveryCodesLeft: count } = await signIn.getTwoFactor({ session });
  if (enabled) {
    // It was set up in another browser meanwhile.
    const isOn = t(visitor, 'Your second factor is on. You have {count} recovery codes left.', { count });
    return page(status, visitor, { title, body: markup`<p>${isOn}</p>`, alert });
  }
  const { secret, otpauthUri } = await signIn.beginTwoFactor({ session, afterWrongCode: alert !== undefined });
  const body = markup`<form method="post" action="${PATH}/confirm">${tokenField(visitor, PURPOSE)}
<h2>${t(visitor, 'Set up a second factor')}</h2><p><strong>${t(visitor, 'Your company requires it.')}</strong></p>
<input type="hidden" name="return_to" value="${returnTo}">
<p>${t(visitor, 'Scan this with an authenticator app, or type the secret.')}</p>
<div class="qr" role="img" aria-label="${t(visitor, 'QR code with the secret')}">${{ html: encodeQR(otpauthUri, 'svg') }}</div>
<p>${t(visitor, 'Secret:')} <code>${secret}</code></p>
${field({ label: t(visitor, 'One-time code'), name: 'code', autocomplete: 'one-time-code', hint: t(visitor, 'The six digits the app shows.') })}
<p><button>${t(visitor, 'Switch on')}</button></p></form>`;
  return page(status, visitor, { title, body, alert });
}
