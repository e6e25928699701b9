import { type ContentResponse, type EmptyResponse, markup, redirect } from '@parley/http';
import { SessionStage } from '@parley/proto/identity/v1/credentials_pb';
import type { EmployeePrincipal } from '@parley/rpc';
import { isOwnForm } from './forms.ts';
import { page } from './page.ts';
import type { Visitor } from './visitor.ts';
import { t } from './words.ts';
import type { IncomingMessage } from 'node:http';

export interface PageInput {
  readonly context: Visitor;
  readonly request: IncomingMessage;
  readonly form: URLSearchParams | undefined;
}

/** The page to visit before a page for employees can be shown; undefined when none is needed. */
export function signInFirst(visitor: Visitor, returnTo: string): EmptyResponse<303> | undefined {
  if (visitor.employee) return undefined;
  const query = new URLSearchParams({ return_to: returnTo });
  if (visitor.stage === SessionStage.ENROLMENT) return redirect(303, `/dashboard/security?${query}`);
  return redirect(303, `/signin?${visitor.stage === SessionStage.ONE_TIME_CODE ? 'step=code&' : ''}${query}`);
}

/** Runs `show` for the employee, or redirects to the sign-in page. */
export async function forEmployee<Shown>(
  { context: visitor }: Pick<PageInput, 'context'>,
  returnTo: string,
  show: (employee: EmployeePrincipal, visitor: Visitor) => Promise<Shown>,
): Promise<Shown | EmptyResponse<303>> {
  return signInFirst(visitor, returnTo) ?? show(visitor.employee as EmployeePrincipal, visitor);
}

/** Runs `change` for the employee if the form was submitted from our page. */
export async function forEmployeesForm<Shown>(
  input: PageInput,
  returnTo: string,
  purpose: string,
  change: (employee: EmployeePrincipal, visitor: Visitor, fields: URLSearchParams) => Promise<Shown>,
): Promise<Shown | EmptyResponse<303> | ContentResponse<403>> {
  return forEmployee(input, returnTo, async (employee, visitor) => {
    if (!isOwnForm(input.request, visitor, input.form, purpose)) return staleForm(visitor, returnTo);
    return change(employee, visitor, input.form ?? new URLSearchParams());
  });
}

/** A form of another site, or one that was open for too long. Nothing was changed. */
export function staleForm(visitor: Visitor, back: string): ContentResponse<403> {
  const link = markup`<a href="${back}">${t(visitor, 'Load the page again')}</a>`;
  const body = markup`<p>${t(visitor, 'Nothing was changed. {link} and try once more.', { link })}</p>`;
  return page(403, visitor, { title: t(visitor, 'This form has expired'), body });
}
