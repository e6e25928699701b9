import { Refused } from '@parley/errors';
import { type ContentResponse, endpoint, type Markup, markup, redirect } from '@parley/http';
import { EmailConfirmationOutcome as Outcome } from '@parley/proto/identity/v1/email_confirmations_pb';
import type { EmployeePrincipal } from '@parley/rpc';
import type { Clients } from '../peers/peers.ts';
import { field, tokenField } from './forms.ts';
import { page } from './page.ts';
import { forEmployee, forEmployeesForm } from './signed-in.ts';
import type { Visitor } from './visitor.ts';
import { t } from './words.ts';

const SECURITY = '/dashboard/security';
const PURPOSE = 'confirm address';
const pathOf = (employeeId: string) => `/dashboard/addresses/${encodeURIComponent(employeeId)}`;

function alertOf(visitor: Visitor, outcome: Outcome): readonly [status: 422 | 429, text: Markup] | undefined {
  if (outcome === Outcome.WRONG) return [422, t(visitor, 'The password is wrong.')];
  if (outcome === Outcome.PASSWORD_REQUIRED)
    return [422, t(visitor, 'Enter your password. In this browser, a code is not enough.')];
  if (outcome === Outcome.THROTTLED) return [429, t(visitor, 'Too many attempts. Please try again later.')];
  if (outcome === Outcome.NOTHING) return [422, t(visitor, 'There is no new address to confirm.')];
  return undefined;
}

/** On the page of an employee's own security: the new address with the button, after the password. */
export function ownAddressForm(visitor: Visitor, hasSecondFactor: boolean): Markup {
  return visitor.unconfirmedEmail === ''
    ? markup``
    : confirmationForm(
        visitor,
        `${SECURITY}/confirm-address`,
        { email: visitor.unconfirmedEmail, emailChange: visitor.emailChange },
        hasSecondFactor,
      );
}

/** The form confirms the change it shows, and no later one. */
function confirmationForm(
  visitor: Visitor,
  action: string,
  { email, emailChange }: { email: string; emailChange: bigint },
  hasSecondFactor: boolean,
): Markup {
  const code = markup`<p class="soft">${t(visitor, 'Instead of the password.')}</p>
${field({ label: t(visitor, 'One-time code'), name: 'one_time_code', autocomplete: 'one-time-code', required: false })}`;
  return markup`<form method="post" action="${action}">${tokenField(visitor, PURPOSE)}<h2>${t(visitor, 'New e-mail address')}</h2>
<input type="hidden" name="email_change" value="${emailChange.toString()}">
<p>${t(visitor, 'Until it is confirmed, the previous address is used to sign in. New address:')} <strong>${email}</strong></p>
${field({ label: t(visitor, 'Your password'), name: 'password', type: 'password', autocomplete: 'current-password', required: !hasSecondFactor })}
${hasSecondFactor && code}
<p><button>${t(visitor, 'Confirm new address')}</button></p></form>`;
}

export const confirmOwnAddress = ({ emailConfirmations }: Clients) =>
  endpoint<Visitor>()({
    role: 'none',
    method: 'post',
    path: `${SECURITY}/confirm-address`,
    tag: 'Pages',
    summary: 'Confirm one’s own new address',
    responses: { 303: null, 403: 'text/html', 422: 'text/html', 429: 'text/html' },
    handle: (input) =>
      forEmployeesForm(input, SECURITY, PURPOSE, async (_employee, visitor, fields) => {
        const { outcome } = await emailConfirmations.confirmEmailBySession(requestOf(visitor, fields));
        const alert = alertOf(visitor, outcome);
        if (!alert) return redirect(303, SECURITY);
        const body = markup`${ownAddressForm(visitor, fields.has('one_time_code'))}<p><a href="${SECURITY}">${t(visitor, 'Security')}</a></p>`;
        return page(alert[0], visitor, { title: t(visitor, 'New e-mail address'), body, alert: alert[1] });
      }),
  });

/** Owners confirm addresses of other employees. */
export const showAddressOf = (clients: Clients) =>
  endpoint<Visitor>()({
    role: 'none',
    method: 'get',
    path: '/dashboard/addresses/:id',
    tag: 'Pages',
    summary: 'Show a new address to confirm',
    responses: { 200: 'text/html', 303: null, 404: 'text/html' },
    handle: (input) =>
      forEmployee(input, pathOf(input.params.id), (employee, visitor) =>
        addressPage(200, clients, employee, visitor, input.params.id),
      ),
  });

export const confirmAddressOf = (clients: Clients) =>
  endpoint<Visitor>()({
    role: 'none',
    method: 'post',
    path: '/dashboard/addresses/:id',
    tag: 'Pages',
    summary: 'Confirm the new address of an employee',
    responses: { 303: null, 403: 'text/html', 404: 'text/html', 422: 'text/html', 429: 'text/html' },
    handle: (input) =>
      forEmployeesForm(input, pathOf(input.params.id), PURPOSE, async (employee, visitor, fields) => {
        const request = { ...requestOf(visitor, fields), employeeId: input.params.id };
        const { outcome } = await clients.emailConfirmations.confirmEmailBySession(request);
        const alert = alertOf(visitor, outcome);
        if (!alert) return redirect(303, '/dashboard/team');
        return addressPage(alert[0], clients, employee, visitor, input.params.id, alert[1]);
      }),
  });

function requestOf({ session }: Visitor, fields: URLSearchParams) {
  const change = fields.get('email_change') ?? '';
  return {
    session,
    password: fields.get('password') ?? '',
    code: fields.get('one_time_code') ?? '',
    emailChange: /^\d{1,15}$/.test(change) ? BigInt(change) : 0n,
  };
}

/** Nobody but owners, and the employee, has anything to confirm here. */
async function addressPage<const Status extends number>(
  status: Status,
  { employees, signIn }: Clients,
  employee: EmployeePrincipal,
  visitor: Visitor,
  id: string,
  alert?: Markup,
): Promise<ContentResponse<Status> | ContentResponse<404>> {
  const found = await employees.readEmployee({ id }, { as: employee }).catch((error: unknown) => {
    if (error instanceof Refused) return undefined;
    throw error;
  });
  const mayConfirm = employee.role === 'owner' || employee.employeeId === id;
  const title = t(visitor, 'New e-mail address');
  if (!mayConfirm || !found?.employee?.emailConfirmationPending)
    return page(404, visitor, { title, body: markup`<p>${t(visitor, 'There is no new address to confirm.')}</p>` });
  const { enabled } = await signIn.getTwoFactor({ session: visitor.session });
  const body = markup`<p>${t(visitor, 'Employee:')} <strong>${found.employee.name}</strong></p>
${confirmationForm(visitor, pathOf(id), found.employee, enabled)}`;
  return page(status, visitor, { title, body, alert });
}
