import { redirect, type Endpoint, endpoint } from '@parley/http';
import type { EvictCredential } from '../credentials/evict-credential.ts';
import { decideConsent, showConsent } from './consent.ts';
import { dashboardPage } from './dashboard-page.ts';
import { signInFirst } from './signed-in.ts';
import type { Clients } from '../peers/peers.ts';
import { createApiKey, revokeApiKey, rotateApiKey, showApiKeys } from './api-keys.ts';
import { changePassword, showPassword } from './change-password.ts';
import { confirmAddress, showAddressConfirmation } from './confirm-address.ts';
import { confirmAddressOf, confirmOwnAddress, showAddressOf } from './confirm-address-signed-in.ts';
import { revokeConnectedApp, showConnectedApps } from './connected-apps.ts';
import { withErrorPages } from './error-pages.ts';
import { requestPasswordReset, showForgotPassword } from './forgot-password.ts';
import { HOME } from './forms.ts';
import { acceptInvitation, showInvitation } from './invitation.ts';
import { resetPassword, showPasswordReset } from './reset-password.ts';
import { confirmTwoFactor, disableTwoFactor, showSecurity } from './security.ts';
import { revokeSession, showSessions } from './sessions.ts';
import { showSignIn, submitSignIn } from './sign-in.ts';
import { signOut } from './sign-out.ts';
import type { Visitor } from './visitor.ts';

const dashboard = (path: '/' | '/dashboard') =>
  endpoint<Visitor>()({
    role: 'none',
    method: 'get',
    path,
    tag: 'Pages',
    summary: 'Go to the dashboard',
    responses: { 303: null },
    handle: () => redirect(303, HOME),
  });

/** The first requests of the inbox page, which the browser starts early. */
const INBOX_READS = ['/api/v1/inbox', '/api/v1/activity/unseen', '/api/v1/business_numbers'];

/** The browser application makes these pages; it shows "Not found" for an address that it does not know. */
const applicationPage = (path: '/dashboard/:section' | '/dashboard/:section/:item') =>
  endpoint<Visitor>()({
    role: 'none',
    method: 'get',
    path,
    tag: 'Pages',
    summary: 'Show a page of the dashboard',
    responses: { 200: 'text/html', 303: null },
    handle: ({ context: visitor, request, params }) =>
      signInFirst(visitor, request.url ?? HOME) ??
      dashboardPage(200, visitor, undefined, {
        section: params.section,
        reads: request.url === HOME ? INBOX_READS : [],
      }),
  });

/** Everything a person sees. The caller of each is a `Visitor`, made by `readVisitor`. */
export const pageEndpoints = (clients: Clients, evict: EvictCredential): Endpoint<Visitor>[] =>
  [
    showSignIn(),
    submitSignIn(clients),
    signOut(clients),
    showInvitation(clients),
    acceptInvitation(clients),
    showForgotPassword(),
    requestPasswordReset(clients),
    showPasswordReset(clients),
    resetPassword(clients),
    showConsent(clients),
    decideConsent(clients),
    dashboard('/'),
    dashboard('/dashboard'),
    showApiKeys(clients),
    createApiKey(clients),
    revokeApiKey(clients, evict),
    rotateApiKey(clients, evict),
    showConnectedApps(clients),
    revokeConnectedApp(clients, evict),
    showSessions(clients),
    revokeSession(clients),
    showSecurity(clients),
    confirmTwoFactor(clients),
    disableTwoFactor(clients),
    confirmOwnAddress(clients),
    showAddressOf(clients),
    confirmAddressOf(clients),
    showAddressConfirmation(clients),
    confirmAddress(clients),
    showPassword(),
    changePassword(clients),
    applicationPage('/dashboard/:section'),
    applicationPage('/dashboard/:section/:item'),
  ].map(withErrorPages);
