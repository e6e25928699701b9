import { type Markup, markup, endpoint } from '@parley/http';
import type { Clients } from '../peers/peers.ts';
import { isOwnForm, staleForm } from './forms.ts';
import { newPasswordForm, passwordProblem } from './new-password.ts';
import { page } from './page.ts';
import { queryOf } from './sign-in.ts';
import { type Visitor, visitorToProto } from './visitor.ts';
import { t } from './words.ts';

const PATH = '/reset-password';
const PURPOSE = 'reset password';

export const showPasswordReset = ({ signIn }: Clients) =>
  endpoint<Visitor>()({
    role: 'none',
    method: 'get',
    path: PATH,
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
        return passwordPage(422, visitor, { token, email }, t(visitor, 'The two passwords are not the same.'));
      }
      try {
        const { reset } = await signIn.resetPassword({ token, password, visitor: visitorToProto(visitor) });
        return reset ? donePage(visitor) : usedPage(visitor);
      } catch (error) {
        const problem = passwordProblem(visitor, error);
        return passwordPage(422, visitor, { token, email }, t(visitor, 'The password {problem}.', { problem }));
      }
    },
  });

function passwordPage<const Status extends number>(
  status: Status,
  visitor: Visitor,
  link: { token: string; email: string },
  alert?: Markup,
) {
  const body = newPasswordForm(visitor, { action: PATH, purpose: PURPOSE, ...link });
  return page(status, visitor, { title: t(visitor, 'Choose a new password'), body, alert });
}

function donePage(visitor: Visitor) {
  const signIn = markup`<a href="/signin">${t(visitor, 'Sign in')}</a>`;
  const body = markup`<p role="status">${t(visitor, 'All sessions have ended. {signIn} with the new password.', { signIn })}</p>
<p>${t(
    visitor,
    'Your API keys and connected apps stay valid. If another person may have known your old password, check both after you have signed in, and revoke those that you do not recognise.',
  )}</p>`;
  return page(200, visitor, { title: t(visitor, 'Your password is changed'), body });
}

function usedPage(visitor: Visitor) {
  const link = markup`<a href="/forgot-password">${t(visitor, 'Request another one')}</a>`;
  const body = markup`<p>${t(visitor, 'It was used before, has expired, or was replaced by a newer one. {link}.', { link })}</p>`;
  return page(404, visitor, { title: t(visitor, 'This link is no longer valid'), body });
}
