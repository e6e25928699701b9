import { type Markup, markup, endpoint } from '@parley/http';
import type { Clients } from '../peers/peers.ts';
import { field, isOwnForm, staleForm, tokenField } from './forms.ts';
import { page } from './page.ts';
import { tooManyAttempts } from './sign-in.ts';
import { type Visitor, visitorToProto } from './visitor.ts';
import { t } from './words.ts';

const PATH = '/forgot-password';
const PURPOSE = 'forgot password';

export const showForgotPassword = () =>
  endpoint<Visitor>('none')({
    route: `GET ${PATH}`,
    summary: 'Show the forgotten-password page',
    responses: { 200: 'text/html' },
    handle: ({ context: visitor }) => emailPage(200, visitor),
  });

/** The response is the same whether or not the address exists. */
export const requestPasswordReset = ({ signIn }: Clients) =>
  endpoint<Visitor>('none')({
    route: `POST ${PATH}`,
    summary: 'Request a password reset',
    responses: { 200: 'text/html', 403: 'text/html', 429: 'text/html' },
    async handle({ context: visitor, request, form }) {
      if (!isOwnForm(request, visitor, form, PURPOSE)) return staleForm(visitor, PATH);
      const email = form?.get('email') ?? '';
      const { refusal } = await signIn.requestPasswordReset({ email, visitor: visitorToProto(visitor) });
      return refusal ? tooManyAttempts(visitor, refusal, (alert) => emailPage(429, visitor, alert)) : sentPage(visitor);
    },
  });

function emailPage<const Status extends number>(status: Status, visitor: Visitor, alert?: Markup) {
  const hint = t(visitor, 'We send you a link to choose a new password.');
  const body = markup`<form method="post" action="${PATH}">${tokenField(visitor, PURPOSE)}
${field({ label: t(visitor, 'Email'), name: 'email', type: 'email', autocomplete: 'username', hint, autofocus: true })}
<p><button>${t(visitor, 'Send link')}</button></p></form><p><a href="/signin">${t(visitor, 'Back to sign-in')}</a></p>`;
  return page(status, visitor, { title: t(visitor, 'Forgot your password?'), body, alert });
}

function sentPage(visitor: Visitor) {
  const link = markup`<a href="${PATH}">${t(visitor, 'ask again')}</a>`;
  const body = markup`<p role="status">${t(
    visitor,
    'If the address belongs to an employee, an e-mail with a link will be sent. The link works once; use it within one hour.',
  )}</p>
<p>${t(visitor, 'Nothing after a few minutes? Check your spam folder, or {link}: only the newest link works.', { link })}</p>`;
  return page(200, visitor, { title: t(visitor, 'Check your e-mail'), body });
}
