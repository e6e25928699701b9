import { markup } from '@parley/http';
import type { Clients } from '../peers/peers.ts';
import { HOME } from './forms.ts';
import { passwordLinkEndpoints } from './new-password.ts';
import { page } from './page.ts';
import { signedIn } from './sign-in.ts';
import { type Visitor, visitorToProto } from './visitor.ts';
import { t } from './words.ts';

/** The first password of an invited employee. */
export const invitationEndpoints = ({ signIn }: Clients) =>
  passwordLinkEndpoints({
    path: '/invitation',
    title: (visitor) => t(visitor, 'Welcome to Parley'),
    find: (token) => signIn.getInvitation({ token }),
    async choose(visitor, token, password) {
      const { opened } = await signIn.acceptInvitation({ token, password, visitor: visitorToProto(visitor) });
      return opened && signedIn(visitor, opened, HOME);
    },
    usedPage,
  });

function usedPage(visitor: Visitor) {
  const signIn = markup`<a href="/signin">${t(visitor, 'Sign in')}</a>`;
  const ask = markup`<a href="/forgot-password">${t(visitor, 'ask for a new one')}</a>`;
  const body = markup`<p>${t(
    visitor,
    'It was used before, it is too old, or there is a newer one. {signIn}, or {ask}.',
    { signIn, ask },
  )}</p>`;
  return page(404, visitor, { title: t(visitor, 'This invitation is no longer valid'), body });
}
