import { Refused } from '@parley/errors';
import { type ContentResponse, type EmptyResponse, endpoint, type Endpoint, type Markup, markup } from '@parley/http';
import { field, isOwnForm, staleForm, tokenField } from './forms.ts';
import { page } from './page.ts';
import { queryOf } from './sign-in.ts';
import type { Visitor } from './visitor.ts';
import { t } from './words.ts';

/** A link in an e-mail that lets its holder choose a password. */
interface PasswordLink {
  readonly path: string;
  readonly title: (visitor: Visitor) => Markup;
  /** Whether the link can be used, and whose it is. */
  readonly find: (token: string) => Promise<{ valid: boolean; email: string }>;
  /** Sets the password; undefined when the link cannot be used any more. */
  readonly choose: (
    visitor: Visitor,
    token: string,
    password: string,
  ) => Promise<EmptyResponse<303> | ContentResponse<200> | undefined>;
  readonly usedPage: (visitor: Visitor) => ContentResponse<404>;
}

/** The page behind such a link and its form. */
export function passwordLinkEndpoints({ path, title, find, choose, usedPage }: PasswordLink): Endpoint<Visitor>[] {
  const formPage = <const Status extends number>(
    status: Status,
    visitor: Visitor,
    link: { token: string; email: string },
    alert?: Markup,
  ) => page(status, visitor, { title: title(visitor), body: passwordForm(visitor, path, link), alert });
  return [
    endpoint<Visitor>('none')({
      route: `GET ${path}`,
      summary: 'Show the page behind a link to choose a password',
      responses: { 200: 'text/html', 404: 'text/html' },
      async handle({ context: visitor, request }) {
        const token = queryOf(request.url).get('token') ?? '';
        const { valid, email } = await find(token);
        return valid ? formPage(200, visitor, { token, email }) : usedPage(visitor);
      },
    }),
    endpoint<Visitor>('none')({
      route: `POST ${path}`,
      summary: 'Choose a password by a link',
      responses: { 200: 'text/html', 303: null, 403: 'text/html', 404: 'text/html', 422: 'text/html' },
      async handle({ context: visitor, request, form }) {
        const token = form?.get('token') ?? '';
        if (!isOwnForm(request, visitor, form, path))
          return staleForm(visitor, `${path}?token=${encodeURIComponent(token)}`);
        const { valid, email } = await find(token);
        if (!valid) return usedPage(visitor);
        const password = form?.get('password') ?? '';
        if (password !== form?.get('repeat_password'))
          return formPage(422, visitor, { token, email }, t(visitor, 'The two passwords are not the same.'));
        try {
          return (await choose(visitor, token, password)) ?? usedPage(visitor);
        } catch (error) {
          const problem = passwordProblem(visitor, error);
          return formPage(422, visitor, { token, email }, t(visitor, 'The password {problem}.', { problem }));
        }
      },
    }),
  ];
}

function passwordForm(visitor: Visitor, path: string, { token, email }: { token: string; email: string }): Markup {
  const passwords = { type: 'password', autocomplete: 'new-password' } as const;
  return markup`<p>${t(visitor, 'Choose a password for {email}.', { email })}</p><form method="post" action="${path}">${tokenField(visitor, path)}
<input type="hidden" name="token" value="${token}">
<input type="hidden" name="username" value="${email}" autocomplete="username">
${field({ label: t(visitor, 'Password'), name: 'password', hint: t(visitor, 'At least 8 characters.'), autofocus: true, ...passwords })}
${field({ label: t(visitor, 'Repeat password'), name: 'repeat_password', ...passwords })}
<p><button>${t(visitor, 'Set password')}</button></p></form>`;
}

/** Returns the problem of the password that was refused, such as "is too short"; any other refusal is thrown. */
function passwordProblem(visitor: Visitor, error: unknown): Markup {
  const [problem] = error instanceof Refused ? (error.refusal.fields?.['password'] ?? []) : [];
  if (problem === undefined) throw error;
  return t(visitor, problem);
}
