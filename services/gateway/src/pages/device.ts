import { createHash } from 'node:crypto';
import { type ContentResponse, endpoint, markup } from '@parley/http';
import {
  type DeviceQuestion,
  type DeviceRefusal,
  DeviceRefusalReason,
} from '@parley/proto/identity/v1/device_authorizations_pb';
import { isoTimeOf } from '@parley/public-json';
import type { Clients } from '../peers/peers.ts';
import { field, isOwnForm, staleForm, tokenField } from './forms.ts';
import { page } from './page.ts';
import { queryOf, signInAgain, signInFirst, tooManyAttempts } from './sign-in.ts';
import type { Visitor } from './visitor.ts';
import { t } from './words.ts';

const PATH = '/device';
const PURPOSE = 'user code';
/** No code is longer, with spaces. */
const CODE_MAX = 32;

/** Where an employee allows a program without a browser (RFC 8628 section 3.3). The address fills the field, and does no more. */
export const showDevice = ({ deviceAuthorizations }: Clients) =>
  endpoint<Visitor>('none')({
    route: `GET ${PATH}`,
    summary: 'Show the page that takes the code of a device',
    responses: { 200: 'text/html', 303: null },
    async handle({ context: visitor, request }) {
      const userCode = (queryOf(request.url).get('user_code') ?? '').slice(0, CODE_MAX);
      const first = signInFirst(visitor, pathOf(userCode));
      if (first) return first;
      const { allowed } = await deviceAuthorizations.checkDeviceSignIn({ session: visitor.session });
      return codePage(200, visitor, userCode, allowed ? undefined : turnedOff(visitor));
    },
  });

export const submitDevice = (clients: Clients) =>
  endpoint<Visitor>('none')({
    route: `POST ${PATH}`,
    summary: 'Enter the code of a device, then allow or deny it',
    responses: { 200: 'text/html', 303: null, 403: 'text/html', 422: 'text/html', 429: 'text/html' },
    async handle({ context: visitor, request, form }) {
      const userCode = (form?.get('user_code') ?? '').slice(0, CODE_MAX);
      const first = signInFirst(visitor, pathOf(userCode));
      if (first) return first;
      const decision = form?.get('decision');
      const isDecision = decision === 'allow' || decision === 'deny';
      if (!isOwnForm(request, visitor, form, isDecision ? decisionPurpose(userCode) : PURPOSE))
        return staleForm(visitor, pathOf(userCode));
      return isDecision
        ? decide(clients, visitor, userCode, decision === 'allow')
        : enterCode(clients, visitor, userCode);
    },
  });

async function enterCode({ deviceAuthorizations }: Clients, visitor: Visitor, userCode: string) {
  const { session, address } = visitor;
  const { outcome } = await deviceAuthorizations.enterUserCode({ userCode, session, address });
  if (outcome.case === undefined) throw new Error('identity returned no outcome');
  return outcome.case === 'ask'
    ? questionPage(visitor, outcome.value, userCode)
    : refusedPage(visitor, outcome.value, userCode);
}

async function decide({ deviceAuthorizations }: Clients, visitor: Visitor, userCode: string, allowed: boolean) {
  const { session } = visitor;
  const { outcome } = await deviceAuthorizations.decideDeviceAuthorization({ userCode, allowed, session });
  if (outcome.case === undefined) throw new Error('identity returned no outcome');
  return outcome.case === 'decided'
    ? decidedPage(visitor, outcome.value, allowed)
    : refusedPage(visitor, outcome.value, userCode);
}

/** The token of a decision is good for this very code only. */
function decisionPurpose(userCode: string): string {
  return `device ${createHash('sha256').update(userCode).digest('base64url')}`;
}

function pathOf(userCode: string): string {
  return userCode === '' ? PATH : `${PATH}?${new URLSearchParams({ user_code: userCode })}`;
}

function refusedPage(visitor: Visitor, refusal: DeviceRefusal, userCode: string) {
  switch (refusal.reason) {
    case DeviceRefusalReason.SIGNED_OUT:
      return signInAgain(visitor, pathOf(userCode));
    case DeviceRefusalReason.THROTTLED:
      return tooManyAttempts(visitor, refusal, (alert) => codePage(429, visitor, userCode, alert));
    case DeviceRefusalReason.TURNED_OFF:
      return codePage(403, visitor, '', turnedOff(visitor));
    default:
      return codePage(422, visitor, userCode, t(visitor, 'This code is not valid.'));
  }
}

function turnedOff(visitor: Visitor) {
  return t(
    visitor,
    'Your company does not allow signing in with a code. The program of a code that you enter here is denied.',
  );
}

function codePage<const Status extends number>(
  status: Status,
  visitor: Visitor,
  userCode: string,
  alert?: ReturnType<typeof t>,
): ContentResponse<Status> {
  const hint = t(visitor, 'Eight letters, which the program shows you.');
  const body = markup`<form method="post" action="${PATH}">${tokenField(visitor, PURPOSE)}
${field({ label: t(visitor, 'Code'), name: 'user_code', value: userCode, hint, autofocus: true })}
<p><button>${t(visitor, 'Continue')}</button></p></form>
<p class="foot">${t(visitor, 'Signed in as')} ${visitor.email}</p>`;
  return page(status, visitor, { title: t(visitor, 'Connect a program'), body, alert });
}

function questionPage(visitor: Visitor, question: DeviceQuestion, userCode: string): ContentResponse<200> {
  const { clientName, scope, requestedAt, requestedSecsAgo, address, program } = question;
  const minutes = Math.floor(requestedSecsAgo / 60);
  const when = minutes === 0 ? t(visitor, 'Less than a minute ago') : t(visitor, '{minutes} min ago', { minutes });
  const body = markup`<p>${t(visitor, '{app} requests access to Parley on your behalf.', { app: markup`<strong>${clientName}</strong>` })}</p>
<dl><dt>${t(visitor, 'Requested')}</dt><dd><time datetime="${isoTimeOf(requestedAt)}">${when}</time></dd>
<dt>${t(visitor, 'From address')}</dt><dd>${address}</dd>
<dt>${t(visitor, 'Program')}</dt><dd>${program || t(visitor, 'Not named')}</dd>
<dt>${t(visitor, 'Signed in as')}</dt><dd>${visitor.email}</dd>
<dt>${t(visitor, 'Scope')}</dt><dd>${t(visitor, '{scope}: everything you can do through the API', { scope })}</dd></dl>
<p><strong>${t(visitor, 'Only continue if you started this yourself just now.')}</strong></p>
<form method="post" action="${PATH}">${tokenField(visitor, decisionPurpose(userCode))}
<input type="hidden" name="user_code" value="${userCode}">
<p class="actions"><button name="decision" value="allow">${t(visitor, 'Allow')}</button>
<button class="quiet" name="decision" value="deny">${t(visitor, 'Deny')}</button></p></form>`;
  return page(200, visitor, { title: t(visitor, 'Allow {app}?', { app: clientName }), body });
}

function decidedPage(visitor: Visitor, app: string, allowed: boolean): ContentResponse<200> {
  const title = allowed ? t(visitor, '{app} is allowed', { app }) : t(visitor, '{app} is denied', { app });
  const text = allowed
    ? t(visitor, 'It goes on by itself in a few seconds. You can close this page.')
    : t(visitor, 'It gets no access. You can close this page.');
  return page(200, visitor, { title, body: markup`<p role="status">${text}</p>` });
}
