import { markup, route } from '@parley/http';
import { Refused } from '@parley/errors';
import type { Clients } from '../peers.ts';
import { field, HOME, isOwnForm, tokenField } from './forms.ts';
import { page } from './page.ts';
import { queryOf, signedIn } from './sign-in.ts';
import { staleForm } from './signed-in.ts';
import { type Visitor, visitorToProto } from './visitor.ts';

const PURPOSE = 'accept invitation';

export const showInvitation = ({ signIn }: Clients) =>
  route<Visitor>()({
    method: 'get',
    path: '/invitation',
    tag: 'Pages',
    summary: 'Show an invitation',
    answers: { 200: 'text/html', 404: 'text/html' },
    async handle({ context: visitor, request }) {
      const token = queryOf(request.url).get('token') ?? '';
      const { valid, email } = await signIn.getInvitation({ token });
      return valid ? passwordPage(200, visitor, { token, email }) : usedPage(visitor);
    },
  });

export const acceptInvitation = ({ signIn }: Clients) =>
  route<Visitor>()({
    method: 'post',
    path: '/invitation',
    tag: 'Pages',
    summary: 'Accept an invitation',
    answers: { 303: null, 403: 'text/html', 404: 'text/html', 422: 'text/html' },
    async handle({ context: visitor, request, form }) {
      const token = form?.get('token') ?? '';
      if (!isOwnForm(request, visitor, form, PURPOSE))
        return staleForm(visitor, `/invitation?token=${encodeURIComponent(token)}`);
      const { valid, email } = await signIn.getInvitation({ token });
      if (!valid) return usedPage(visitor);
      const password = form?.get('password') ?? '';
      if (password !== form?.get('repeat_password')) {
        return passwordPage(422, visitor, { token, email }, 'The two passwords are not the same.');
      }
      try {
        const { opened } = await signIn.acceptInvitation({ token, password, visitor: visitorToProto(visitor) });
        return opened ? signedIn(visitor, opened, HOME) : usedPage(visitor);
      } catch (error) {
        const [problem] = error instanceof Refused ? (error.refusal.fields?.['password'] ?? []) : [];
        if (problem === undefined) throw error;
        return passwordPage(422, visitor, { token, email }, `The password ${problem}.`);
      }
    },
  });

function passwordPage<const Status extends number>(
  status: Status,
  visitor: Visitor,
  { token, email }: { token: string; email: string },
  alert?: string,
) {
  const passwords = { type: 'password', autocomplete: 'new-password' } as const;
  const body = markup`<p>For ${email}.</p><form method="post" action="/invitation">${tokenField(visitor, PURPOSE)}
<input type="hidden" name="token" value="${token}">
<input type="hidden" name="username" value="${email}" autocomplete="username">
${field({ label: 'Password', name: 'password', hint: 'At least 8 characters.', autofocus: true, ...passwords })}
${field({ label: 'Repeat password', name: 'repeat_password', ...passwords })}
<p><button>Set password</button></p></form>`;
  return page(status, visitor, { title: 'Welcome to Parley', body, alert });
}

function usedPage(visitor: Visitor) {
  const body = markup`<p>It was used before, or it is too old. <a href="/signin">Sign in</a>, or ask your company for a new one.</p>`;
  return page(404, visitor, { title: 'This invitation does not work any more', body });
}
