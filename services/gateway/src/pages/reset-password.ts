import { markup } from '@parley/http';
import type { Clients } from '../peers/peers.ts';
import { passwordLinkEndpoints } from './new-password.ts';
import { page } from './page.ts';
import { type Visitor, visitorToProto } from './visitor.ts';
import { t } from './words.ts';

/** Another password, by the link that `forgot-password.ts` sends. */
export const passwordResetEndpoints = ({ signIn }: Clients) =>
  passwordLinkEndpoints({
    path: '/reset-password',
    title: (visitor) => t(visitor, 'Choose a new password'),
    find: (token) => signIn.getPasswordReset({ token }),
    async choose(visitor, token, password) {
      const { reset } = await signIn.resetPassword({ token, password, visitor: visitorToProto(visitor) });
      return reset ? donePage(visitor) : undefined;
    },
    usedPage,
  });

function donePage(visitor: Visitor) {
  const signIn = markup`<a href="/signin">${t(visitor, 'Sign in')}</a>`;
  const body = markup`<p role="status">${t(visitor, 'All sessions have ended. {signIn} with the new password.', { signIn })}</p>
<p>${t(
    visitor,
    'Your API keys and connected apps stay valid. If another person may have known your old password, check both after you have signed in, and revoke those that you do not recognise.',
  )}</p>`;
  return page(200, visitor, { title: t(visitor, 'Your password is changed'), body });
}

function usedPage(visitor: Visitor) {
  const link = markup`<a href="/forgot-password">${t(visitor, 'Request another one')}</a>`;
  const body = markup`<p>${t(visitor, 'It was used before, has expired, or was replaced by a newer one. {link}.', { link })}</p>`;
  return page(404, visitor, { title: t(visitor, 'This link is no longer valid'), body });
}
