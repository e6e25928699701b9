import { type ContentResponse, type Markup, markup, endpoint } from '@parley/http';
import type { Clients } from '../peers/peers.ts';
import { field, tokenField } from './forms.ts';
import { passwordProblem } from './new-password.ts';
import { page } from './page.ts';
import { sessionCookies } from './sign-in.ts';
import { forEmployee, forEmployeesForm } from './signed-in.ts';
import { type Visitor, visitorToProto } from './visitor.ts';
import { t } from './words.ts';

const PATH = '/dashboard/password';
const PURPOSE = 'change password';

export const showPassword = () =>
  endpoint<Visitor>()({
    role: 'none',
    method: 'get',
    path: PATH,
    tag: 'Pages',
    summary: 'Show the password page',
    responses: { 200: 'text/html', 303: null },
    handle: (input) => forEmployee(input, PATH, async (_employee, visitor) => passwordPage(200, visitor)),
  });

export const changePassword = ({ signIn }: Clients) =>
  endpoint<Visitor>()({
    role: 'none',
    method: 'post',
    path: PATH,
    tag: 'Pages',
    summary: 'Change the password',
    responses: { 200: 'text/html', 303: null, 403: 'text/html', 422: 'text/html', 429: 'text/html' },
    handle: (input) =>
      forEmployeesForm(input, PATH, PURPOSE, async (_employee, visitor, fields) => {
        const password = fields.get('password') ?? '';
        if (password !== fields.get('repeat_password'))
          return passwordPage(422, visitor, t(visitor, 'The two new passwords are not the same.'));
        const currentPassword = fields.get('current_password') ?? '';
        try {
          const request = { currentPassword, password, visitor: visitorToProto(visitor) };
          const { outcome } = await signIn.changePassword(request);
          if (outcome.case === 'opened') {
            const body = markup`<p role="status">${t(visitor, 'Your password is changed. Every other browser has to sign in again.')}</p>`;
            const cookies = sessionCookies(visitor, outcome.value);
            return page(
              200,
              { ...visitor, session: outcome.value.session },
              { title: t(visitor, 'Password'), body, cookies },
            );
          }
          if (outcome.value?.throttled)
            return passwordPage(429, visitor, t(visitor, 'Too many attempts. Please try again later.'));
          return passwordPage(422, visitor, t(visitor, 'Your current password is wrong.'));
        } catch (error) {
          const problem = passwordProblem(visitor, error);
          return passwordPage(422, visitor, t(visitor, 'The new password {problem}.', { problem }));
        }
      }),
  });

function passwordPage<const Status extends number>(
  status: Status,
  visitor: Visitor,
  alert?: Markup,
): ContentResponse<Status> {
  const asNew = { type: 'password', autocomplete: 'new-password' } as const;
  const body: Markup = markup`<form method="post" action="${PATH}">${tokenField(visitor, PURPOSE)}
${field({ label: t(visitor, 'Current password'), name: 'current_password', type: 'password', autocomplete: 'current-password' })}
${field({ label: t(visitor, 'New password'), name: 'password', hint: t(visitor, 'At least 8 characters.'), ...asNew })}
${field({ label: t(visitor, 'Repeat new password'), name: 'repeat_password', ...asNew })}
<p><button>${t(visitor, 'Change password')}</button></p></form>`;
  return page(status, visitor, { title: t(visitor, 'Password'), body, alert });
}
