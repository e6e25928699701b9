import { markup, endpoint } from '@parley/http';
import type { Clients } from '../peers/peers.ts';
import { isOwnForm } from './forms.ts';
import { newPasswordForm, passwordProblem } from './new-password.ts';
import { page } from './page.ts';
import { queryOf } from './sign-in.ts';
import { staleForm } from './signed-in.ts';
import { type Visitor, visitorToProto } from './visitor.ts';

const PATH = '/reset-password';
const PURPOSE = 'reset password';

export const showPasswordReset = ({ signIn }: Clients) =>
  endpoint<Visitor>()({
    role: 'none',
    method: 'get',
    path: PATH,
    tag: 'Pages',
    summary: 'Show the page behind a password link',
    responses: { 200: 'text/html', 404: 'text/html' },
    async handle({ context: visitor, request }) {
      const token = queryOf(request.url).get('token') ?? '';
      const { valid, email } = await signIn.getPasswordReset({ token });
      return valid ? passwordPage(200, visitor, { token, email }) : usedPage(visitor);
    },
  });

export const resetPassword = ({ signIn }: Clients) =>
  endpoint<Visitor>()({
    role: 'none',
    method: 'post',
    path: PATH,
    tag: 'Pages',
    summary: 'Set a new password by a link',
    responses: { 200: 'text/html', 403: 'text/html', 404: 'text/html', 422: 'text/html' },
    async handle({ context: visitor, request, form }) {
      const token = form?.get('token') ?? '';
      if (!isOwnForm(request, visitor, form, PURPOSE))
        return staleForm(visitor, `${PATH}?token=${encodeURIComponent(token)}`);
      const { valid, email } = await signIn.getPasswordReset({ token });
      if (!valid) return usedPage(visitor);
      const password = form?.get('password') ?? '';
      if (password !== form?.get('repeat_password')) {
        return passwordPage(422, visitor, { token, email }, 'The two passwords are not the same.');
      }
      try {
        const { reset } = await signIn.resetPassword({ token, password, visitor: visitorToProto(visitor) });
        return reset ? donePage(visitor) : usedPage(visitor);
      } catch (error) {
        return passwordPage(422, visitor, { token, email }, `The password ${passwordProblem(error)}.`);
      }
    },
  });

/** The browser may have the session of another employee: the menu of that session is not shown here. */
const alone = (visitor: Visitor): Visitor => ({ ...visitor, employee: undefined });

function passwordPage<const Status extends number>(
  status: Status,
  visitor: Visitor,
  link: { token: string; email: string },
  alert?: string,
) {
  const body = newPasswordForm(visitor, { action: PATH, purpose: PURPOSE, ...link });
  return page(status, alone(visitor), { title: 'Choose a new password', body, alert });
}

function donePage(visitor: Visitor) {
  const body = markup`<p role="status">All sessions have ended. <a href="/signin">Sign in</a> with the new password.</p>
<p>Your API keys and connected apps stay valid. If another person may have known your old password, check both after
you have signed in, and revoke those that you do not recognise.</p>`;
  return page(200, alone(visitor), { title: 'Your password is changed', body });
}

function usedPage(visitor: Visitor) {
  const body = markup`<p>It was used before, has expired, or was replaced by a newer one. <a href="/forgot-password">Request another one</a>.</p>`;
  return page(404, alone(visitor), { title: 'This link is no longer valid', body });
}
