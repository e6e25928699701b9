import { markup, endpoint } from '@parley/http';
import type { Clients } from '../peers/peers.ts';
import { field, isOwnForm, tokenField } from './forms.ts';
import { page } from './page.ts';
import { tooManyAttempts } from './sign-in.ts';
import { staleForm } from './signed-in.ts';
import { type Visitor, visitorToProto } from './visitor.ts';

const PATH = '/forgot-password';
const PURPOSE = 'forgot password';

export const showForgotPassword = () =>
  endpoint<Visitor>()({
    role: 'none',
    method: 'get',
    path: PATH,
    tag: 'Pages',
    summary: 'Show the forgotten-password page',
    responses: { 200: 'text/html' },
    handle: ({ context: visitor }) => emailPage(200, visitor),
  });

/** The response is the same whether or not the address exists. */
export const requestPasswordReset = ({ signIn }: Clients) =>
  endpoint<Visitor>()({
    role: 'none',
    method: 'post',
    path: PATH,
    tag: 'Pages',
    summary: 'Request a password reset',
    responses: { 200: 'text/html', 403: 'text/html', 429: 'text/html' },
    async handle({ context: visitor, request, form }) {
      if (!isOwnForm(request, visitor, form, PURPOSE)) return staleForm(visitor, PATH);
      const email = form?.get('email') ?? '';
      const { refusal } = await signIn.requestPasswordReset({ email, visitor: visitorToProto(visitor) });
      return refusal ? tooManyAttempts(refusal, (alert) => emailPage(429, visitor, alert)) : sentPage(visitor);
    },
  });

function emailPage<const Status extends number>(status: Status, visitor: Visitor, alert?: string) {
  const hint = 'We send you a link to choose a new password.';
  const body = markup`<form method="post" action="${PATH}">${tokenField(visitor, PURPOSE)}
${field({ label: 'Email', name: 'email', type: 'email', autocomplete: 'username', hint, autofocus: true })}
<p><button>Send link</button></p></form><p><a href="/signin">Back to sign-in</a></p>`;
  return page(status, { ...visitor, employee: undefined }, { title: 'Forgot your password?', body, alert });
}

function sentPage(visitor: Visitor) {
  const body = markup`<p role="status">If the address belongs to an employee, an e-mail with a link will be sent.
The link works once; use it within one hour.</p>
<p>Nothing after a few minutes? Check your spam folder, or <a href="${PATH}">ask again</a>: only the newest link works.</p>`;
  return page(200, { ...visitor, employee: undefined }, { title: 'Check your e-mail', body });
}
