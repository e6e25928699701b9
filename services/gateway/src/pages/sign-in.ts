import { type ContentResponse, type EmptyResponse, endpoint, type Markup, markup, redirect } from '@parley/http';
import { SessionStage } from '@parley/proto/identity/v1/credentials_pb';
import type { OpenedSession, SignInRefusal } from '@parley/proto/identity/v1/sign_in_pb';
import type { Clients } from '../peers/peers.ts';
import { cookie } from './cookies.ts';
import { field, isOwnForm, ownPath, staleForm, tokenField } from './forms.ts';
import { page, securityHeaders } from './page.ts';
import { type Visitor, visitorToProto } from './visitor.ts';
import { t } from './words.ts';

const PURPOSE = 'sign in';
/** No address is longer. */
const EMAIL_MAX = 320;

export const showSignIn = () =>
  endpoint<Visitor>('none')({
    route: 'GET /signin',
    summary: 'Show the sign-in page',
    responses: { 200: 'text/html' },
    handle({ context: visitor, request }) {
      const query = queryOf(request.url);
      const returnTo = ownPath(query.get('return_to'));
      const isHalfway = visitor.stage === SessionStage.ONE_TIME_CODE && query.get('step') === 'code';
      return isHalfway ? codePage(200, visitor, returnTo) : passwordPage(200, visitor, returnTo);
    },
  });

export const submitSignIn = ({ signIn }: Clients) =>
  endpoint<Visitor>('none')({
    route: 'POST /signin',
    summary: 'Sign in',
    responses: { 303: null, 403: 'text/html', 422: 'text/html', 429: 'text/html' },
    async handle({ context: visitor, request, form }) {
      const returnTo = ownPath(form?.get('return_to'));
      if (!isOwnForm(request, visitor, form, PURPOSE)) return staleForm(visitor, '/signin');
      const code = form?.get('code');
      if (typeof code === 'string') {
        const { outcome } = await signIn.enterOneTimeCode({ code, visitor: visitorToProto(visitor) });
        if (outcome.case === 'opened') return signedIn(visitor, outcome.value, returnTo);
        return outcome.case === 'refusal' && outcome.value.over
          ? passwordPage(422, visitor, returnTo, t(visitor, 'That took too long. Please sign in again.'))
          : refusedPage(
              codePage,
              visitor,
              returnTo,
              outcome.value,
              t(visitor, 'That code is wrong or was used before.'),
            );
      }
      const email = form?.get('email') ?? '';
      const { outcome } = await signIn.signIn({
        email,
        password: form?.get('password') ?? '',
        visitor: visitorToProto(visitor),
      });
      if (outcome.case === 'opened') return signedIn(visitor, outcome.value, returnTo);
      const formPage: FormPage = (...given) => passwordPage(...given, email);
      return refusedPage(formPage, visitor, returnTo, outcome.value, t(visitor, 'Email or password is wrong.'));
    },
  });

/** The page to visit before a page for employees can be shown; undefined when none is needed. */
export function signInFirst(visitor: Visitor, returnTo: string): EmptyResponse<303> | undefined {
  if (visitor.employee) return undefined;
  const query = new URLSearchParams({ return_to: returnTo });
  if (visitor.stage === SessionStage.ENROLMENT) return redirect(303, `/dashboard/security?${query}`);
  return redirect(303, `/signin?${visitor.stage === SessionStage.ONE_TIME_CODE ? 'step=code&' : ''}${query}`);
}

/** To the sign-in page, because the session has ended meanwhile. */
export function signInAgain(visitor: Visitor, returnTo: string): EmptyResponse<303> {
  return redirect(303, `/signin?${new URLSearchParams({ return_to: returnTo })}`, securityHeaders(visitor));
}

/** The browser's new session, and the next step: the one-time code, the enrolment, or the requested page. */
export function signedIn(visitor: Visitor, opened: OpenedSession, returnTo: string): EmptyResponse<303> {
  const query = new URLSearchParams({ return_to: returnTo });
  const next =
    opened.stage === SessionStage.SIGNED_IN
      ? returnTo
      : `${opened.stage === SessionStage.ENROLMENT ? '/dashboard/security?' : '/signin?step=code&'}${query}`;
  return redirect(303, next, { ...securityHeaders(visitor), 'Set-Cookie': sessionCookies(visitor, opened) });
}

export function sessionCookies({ secure }: Visitor, opened: OpenedSession): string[] {
  const device = opened.device === '' ? [] : [cookie('device', opened.device, secure)];
  return [cookie('session', opened.session, secure), ...device];
}

type FormPage = (status: 422 | 429, visitor: Visitor, returnTo: string, alert: Markup) => ContentResponse<422 | 429>;

function refusedPage(
  formPage: FormPage,
  visitor: Visitor,
  returnTo: string,
  refusal: SignInRefusal | undefined,
  wrong: Markup,
): ContentResponse<422 | 429> {
  if (!refusal?.throttled) return formPage(422, visitor, returnTo, wrong);
  return tooManyAttempts(visitor, refusal, (alert) => formPage(429, visitor, returnTo, alert));
}

/** The page with the form once more, and when to try again. */
export function tooManyAttempts<Shown extends ContentResponse>(
  visitor: Visitor,
  { retryAfterSecs }: Pick<SignInRefusal, 'retryAfterSecs'>,
  show: (alert: Markup) => Shown,
): Shown {
  const minutes = Math.ceil(retryAfterSecs / 60);
  const shown = show(t(visitor, 'Too many attempts. Please try again in {minutes} min.', { minutes }));
  return { ...shown, headers: { ...shown.headers, 'Retry-After': String(retryAfterSecs) } };
}

/** `email`: as it was typed before; it stays, and the password is next. */
function passwordPage<const Status extends number>(
  status: Status,
  visitor: Visitor,
  returnTo: string,
  alert?: Markup,
  email = '',
) {
  const [isKnown, value] = [email !== '', email.slice(0, EMAIL_MAX)];
  const body = markup`<form method="post" action="/signin">${tokenField(visitor, PURPOSE)}
<input type="hidden" name="return_to" value="${returnTo}">
${field({ label: t(visitor, 'Email'), name: 'email', type: 'email', autocomplete: 'username', value, autofocus: !isKnown })}
${field({ label: t(visitor, 'Password'), name: 'password', type: 'password', autocomplete: 'current-password', autofocus: isKnown })}
<p><button>${t(visitor, 'Sign in')}</button></p></form><p><a href="/forgot-password">${t(visitor, 'Forgot your password?')}</a></p>
<p class="foot">${t(visitor, 'New here? Open the link in your invitation.')}</p>`;
  return page(status, visitor, { title: t(visitor, 'Sign in'), body, alert });
}

function codePage<const Status extends number>(status: Status, visitor: Visitor, returnTo: string, alert?: Markup) {
  const hint = t(visitor, 'From your authenticator app, or one of your recovery codes.');
  const body = markup`<form method="post" action="/signin">${tokenField(visitor, PURPOSE)}
<input type="hidden" name="return_to" value="${returnTo}">
${field({ label: t(visitor, 'One-time code'), name: 'code', autocomplete: 'one-time-code', hint, autofocus: true })}
<p><button>${t(visitor, 'Sign in')}</button></p></form>
<form method="post" action="/signout">${tokenField(visitor, 'sign out')}<p><button class="quiet">${t(visitor, 'Start over')}</button></p></form>`;
  return page(status, visitor, { title: t(visitor, 'Sign in'), body, alert });
}

/** The query of a request's address. */
export function queryOf(url: string | undefined): URLSearchParams {
  const [, query = ''] = /\?(.*)$/s.exec(url ?? '') ?? [];
  return new URLSearchParams(query);
}

export const signOut = ({ signIn }: Clients) =>
  endpoint<Visitor>('none')({
    route: 'POST /signout',
    summary: 'Sign out',
    responses: { 303: null, 403: 'text/html' },
    async handle({ context: visitor, request, form }) {
      if (!isOwnForm(request, visitor, form, 'sign out')) return staleForm(visitor, '/signin');
      await signIn.signOut({ session: visitor.session });
      const headers = { ...securityHeaders(visitor), 'Set-Cookie': [cookie('session', '', visitor.secure)] };
      return redirect(303, '/signin', headers);
    },
  });
