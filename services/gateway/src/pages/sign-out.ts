import { redirect, endpoint } from '@parley/http';
import type { Clients } from '../peers/peers.ts';
import { cookie } from './cookies.ts';
import { isOwnForm, staleForm } from './forms.ts';
import { securityHeaders } from './page.ts';
import type { Visitor } from './visitor.ts';

export const signOut = ({ signIn }: Clients) =>
  endpoint<Visitor>()({
    role: 'none',
    method: 'post',
    path: '/signout',
    summary: 'Sign out',
    responses: { 303: null, 403: 'text/html' },
    async handle({ context: visitor, request, form }) {
      if (!isOwnForm(request, visitor, form, 'sign out')) return staleForm(visitor, '/signin');
      await signIn.signOut({ session: visitor.session });
      const headers = { ...securityHeaders(visitor), 'Set-Cookie': [cookie('session', '', visitor.secure)] };
      return redirect(303, '/signin', headers);
    },
  });
