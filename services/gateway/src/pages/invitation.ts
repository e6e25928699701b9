import { type Markup, markup, endpoint } from '@parley/http';
import type { Clients } from '../peers/peers.ts';
import { HOME, isOwnForm, staleForm } from './forms.ts';
import { newPasswordForm, passwordProblem } from './new-password.ts';
import { page } from './page.ts';
import { queryOf, signedIn } from './sign-in.ts';
import { type Visitor, visitorToProto } from './visitor.ts';
import { t } from './words.ts';

const PURPOSE = 'accept invitation';

export const showInvitation = ({ signIn }: Clients) =>
  endpoint<Visitor>()({
    role: 'none',
    method: 'get',
    path: '/invitation',
    summary: 'Show an invitation',
    responses: { 200: 'text/html', 404: 'text/html' },
    async handle({ context: visitor, request }) {
      const token = queryOf(request.url).get('token') ?? '';
      const { valid, email } = await signIn.getInvitation({ token });
      return valid ? passwordPage(200, visitor, { token, email }) : usedPage(visitor);
    },
  });

export const acceptInvitation = ({ signIn }: Clients) =>
  endpoint<Visitor>()({
    role: 'none',
    method: 'post',
    path: '/invitation',
    summary: 'Accept an invitation',
    responses: { 303: null, 403: 'text/html', 404: 'text/html', 422: 'text/html' },
    async handle({ context: visitor, request, form }) {
      const token = form?.get('token') ?? '';
      if (!isOwnForm(request, visitor, form, PURPOSE))
        return staleForm(visitor, `/invitation?token=${encodeURIComponent(token)}`);
      const { valid, email } = await signIn.getInvitation({ token });
      if (!valid) return usedPage(visitor);
      const password = form?.get('password') ?? '';
      if (password !== form?.get('repeat_password')) {
        return passwordPage(422, visitor, { token, email }, t(visitor, 'The two passwords are not the same.'));
      }
      try {
        const { opened } = await signIn.acceptInvitation({ token, password, visitor: visitorToProto(visitor) });
        return opened ? signedIn(visitor, opened, HOME) : usedPage(visitor);
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
  const body = newPasswordForm(visitor, { action: '/invitation', purpose: PURPOSE, ...link });
  return page(status, visitor, { title: t(visitor, 'Welcome to Parley'), body, alert });
}

function usedPage(visitor: Visitor) {
  const signIn = markup`<a href="/signin">${t(visitor, 'Sign in')}</a>`;
  const ask = markup`<a href="/forgot-password">${t(visitor, 'ask for a new one')}</a>`;
  const body = markup`<p>${t(
    visitor,
    'It was used before, it is too old, or there is a newer one. {signIn}, or {ask}.',
    { signIn, ask },
  )}</p>`;
  return page(404, visitor, { title: t(visitor, 'This invitation is no longer valid'), body });
}
