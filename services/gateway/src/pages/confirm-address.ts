import { endpoint, markup } from '@parley/http';
import type { Clients } from '../peers/peers.ts';
import { isOwnForm, tokenField } from './forms.ts';
import { page } from './page.ts';
import { queryOf } from './sign-in.ts';
import { staleForm } from './signed-in.ts';
import type { Visitor } from './visitor.ts';

const PATH = '/confirm-address';
const PURPOSE = 'confirm address';

/** Behind the link in the e-mail to the old address. A button, because mail scanners follow links. */
export const showAddressConfirmation = ({ emailConfirmations }: Clients) =>
  endpoint<Visitor>()({
    role: 'none',
    method: 'get',
    path: PATH,
    tag: 'Pages',
    summary: 'Show the page behind a link to confirm an address',
    responses: { 200: 'text/html', 404: 'text/html' },
    async handle({ context: visitor, request }) {
      const token = queryOf(request.url).get('token') ?? '';
      const { valid, email } = await emailConfirmations.getEmailConfirmation({ token });
      if (!valid) return usedPage(visitor);
      const body = markup`<form method="post" action="${PATH}">${tokenField(visitor, PURPOSE)}
<input type="hidden" name="token" value="${token}">
<p>From then on you sign in with <strong>${email}</strong>, and e-mails go there.</p>
<p><button>Confirm new address</button></p></form>`;
      return page(200, alone(visitor), { title: 'Confirm your new address', body });
    },
  });

export const confirmAddress = ({ emailConfirmations }: Clients) =>
  endpoint<Visitor>()({
    role: 'none',
    method: 'post',
    path: PATH,
    tag: 'Pages',
    summary: 'Confirm an address by a link',
    responses: { 200: 'text/html', 403: 'text/html', 404: 'text/html' },
    async handle({ context: visitor, request, form }) {
      const token = form?.get('token') ?? '';
      if (!isOwnForm(request, visitor, form, PURPOSE))
        return staleForm(visitor, `${PATH}?token=${encodeURIComponent(token)}`);
      const { confirmed } = await emailConfirmations.confirmEmailByLink({ token });
      if (!confirmed) return usedPage(visitor);
      const body = markup`<p role="status">You sign in with your new address now. <a href="/dashboard">Go to the dashboard</a>.</p>`;
      return page(200, alone(visitor), { title: 'Your new address is confirmed', body });
    },
  });

/** The browser may have the session of another employee: the menu of that session is not shown here. */
const alone = (visitor: Visitor): Visitor => ({ ...visitor, employee: undefined });

function usedPage(visitor: Visitor) {
  const body = markup`<p>The address is confirmed already, was changed again, or the link has expired. <a href="/signin">Sign in</a>.</p>`;
  return page(404, alone(visitor), { title: 'This link is no longer valid', body });
}
