import { Refused } from '@parley/errors';
import { type Markup, markup } from '@parley/http';
import { field, tokenField } from './forms.ts';
import type { Visitor } from './visitor.ts';

/** The form behind a link that lets its holder choose a password. */
export function newPasswordForm(
  visitor: Visitor,
  { action, purpose, token, email }: { action: string; purpose: string; token: string; email: string },
): Markup {
  const passwords = { type: 'password', autocomplete: 'new-password' } as const;
  return markup`<p>For ${email}.</p><form method="post" action="${action}">${tokenField(visitor, purpose)}
<input type="hidden" name="token" value="${token}">
<input type="hidden" name="username" value="${email}" autocomplete="username">
${field({ label: 'Password', name: 'password', hint: 'At least 8 characters.', autofocus: true, ...passwords })}
${field({ label: 'Repeat password', name: 'repeat_password', ...passwords })}
<p><button>Set password</button></p></form>`;
}

/** What is wrong with the password that was refused, such as "is too short"; undefined for any other refusal. */
export function passwordProblem(error: unknown): string {
  const [problem] = error instanceof Refused ? (error.refusal.fields?.['password'] ?? []) : [];
  if (problem === undefined) throw error;
  return problem;
}
