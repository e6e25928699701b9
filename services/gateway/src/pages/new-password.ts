import { Refused } from '@parley/errors';
import { type Markup, markup } from '@parley/http';
import { field, tokenField } from './forms.ts';
import type { Visitor } from './visitor.ts';
import { t } from './words.ts';

/** The form behind a link that lets its holder choose a password. */
export function newPasswordForm(
  visitor: Visitor,
  { action, purpose, token, email }: { action: string; purpose: string; token: string; email: string },
): Markup {
  const passwords = { type: 'password', autocomplete: 'new-password' } as const;
  return markup`<p>${t(visitor, 'Choose a password for {email}.', { email })}</p><form method="post" action="${action}">${tokenField(visitor, purpose)}
<input type="hidden" name="token" value="${token}">
<input type="hidden" name="username" value="${email}" autocomplete="username">
${field({ label: t(visitor, 'Password'), name: 'password', hint: t(visitor, 'At least 8 characters.'), autofocus: true, ...passwords })}
${field({ label: t(visitor, 'Repeat password'), name: 'repeat_password', ...passwords })}
<p><button>${t(visitor, 'Set password')}</button></p></form>`;
}

/** Returns the problem of the password that was refused, such as "is too short"; any other refusal is thrown. */
export function passwordProblem(visitor: Visitor, error: unknown): Markup {
  const [problem] = error instanceof Refused ? (error.refusal.fields?.['password'] ?? []) : [];
  if (problem === undefined) throw error;
  return t(visitor, problem);
}
