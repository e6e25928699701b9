import { endpoint, markup } from '@parley/http';
import type { Clients } from '../peers/peers.ts';
import { isOwnForm, staleForm, tokenField } from './forms.ts';
import { page } from './page.ts';
import { queryOf } from './sign-in.ts';
import type { Visitor } from './visitor.ts';
import { t } from './words.ts';

const PATH = '/confirm-address';
const PURPOSE = 'confirm address';

/** Behind the link in the e-mail to the old address. A button, because mail scanners follow links. */
export const showAddressConfirmation = ({ emailConfirmations }: Clients) =>
  endpoint<Visitor>('none')({
    route: `GET ${PATH}`,
    summary: 'Show the page behind a link to confirm an address',
    responses: { 200: 'text/html', 404: 'text/html' },
    async handle({ context: visitor, request }) {
      const token = queryOf(request.url).get('token') ?? '';
      const { valid, email } = await emailConfirmations.getEmailConfirmation({ token });
      if (!valid) return usedPage(visitor);
      const body = markup`<form method="post" action="${PATH}">${tokenField(visitor, PURPOSE)}
<input type="hidden" name="token" value="${token}">
<p>${t(visitor, 'From then on you sign in with {email}, and e-mails go there.', { email: markup`<strong>${email}</strong>` })}</p>
<p><button>${t(visitor, 'Confirm new address')}</button></p></form>`;
      return page(200, visitor, { title: t(visitor, 'Confirm your new address'), body });
    },
  });

export const confirmAddress = ({ emailConfirmations }: Clients) =>
  endpoint<Visitor>('none')({
    route: `POST ${PATH}`,
    summary: 'Confirm an address by a link',
    responses: { 200: 'text/html', 403: 'text/html', 404: 'text/html' },
    async handle({ context: visitor, request, form }) {
      const token = form?.get('token') ?? '';
      if (!isOwnForm(request, visitor, form, PURPOSE))
        return staleForm(visitor, `${PATH}?token=${encodeURIComponent(token)}`);
      const { confirmed } = await emailConfirmations.confirmEmailByLink({ token });
      if (!confirmed) return usedPage(visitor);
      const link = markup`<a href="/dashboard">${t(visitor, 'Go to the dashboard')}</a>`;
      const body = markup`<p role="status">${t(visitor, 'You sign in with your new address now. {link}.', { link })}</p>`;
      return page(200, visitor, { title: t(visitor, 'Your new address is confirmed'), body });
    },
  });

function usedPage(visitor: Visitor) {
  const signIn = markup`<a href="/signin">${t(visitor, 'Sign in')}</a>`;
  const body = markup`<p>${t(visitor, 'The address is confirmed already, was changed again, or the link has expired. {signIn}.', { signIn })}</p>`;
  return page(404, visitor, { title: t(visitor, 'This link is no longer valid'), body });
}
