import { redirect, type Endpoint, endpoint } from '@parley/http';
import { decideConsent, showConsent } from './consent.ts';
import { dashboardPage } from './dashboard-page.ts';
import type { Clients } from '../peers/peers.ts';
import { confirmAddress, showAddressConfirmation } from './confirm-address.ts';
import { showDevice, submitDevice } from './device.ts';
import { confirmTwoFactor, showEnrolment } from './enrolment.ts';
import { withErrorPages } from './error-pages.ts';
import { requestPasswordReset, showForgotPassword } from './forgot-password.ts';
import { HOME } from './forms.ts';
import { invitationEndpoints } from './invitation.ts';
import { passwordResetEndpoints } from './reset-password.ts';
import { showSignIn, signInFirst, signOut, submitSignIn } from './sign-in.ts';
import type { Visitor } from './visitor.ts';

const dashboard = (path: '/' | '/dashboard') =>
  endpoint<Visitor>('none')({
    route: `GET ${path}`,
    summary: 'Go to the dashboard',
    responses: { 303: null },
    handle: () => redirect(303, HOME),
  });

/** The first requests of the inbox page, which the browser starts early. */
const INBOX_READS = ['/api/v1/inbox', '/api/v1/activity/unseen', '/api/v1/business_numbers'];

/** The browser application makes these pages; it shows "Not found" for an address that it does not know. */
const applicationPage = (path: '/dashboard/:section' | '/dashboard/:section/:item') =>
  endpoint<Visitor>('none')({
    route: `GET ${path}`,
    summary: 'Show a page of the dashboard',
    responses: { 200: 'text/html', 303: null },
    handle: ({ context: visitor, request, params }) =>
      signInFirst(visitor, request.url ?? HOME) ??
      dashboardPage(visitor, params.section, request.url === HOME ? INBOX_READS : []),
  });

/** Everything a person sees. The caller of each is a `Visitor`, made by `readVisitor`. */
export const pageEndpoints = (clients: Clients): Endpoint<Visitor>[] =>
  [
    showSignIn(),
    submitSignIn(clients),
    signOut(clients),
    ...invitationEndpoints(clients),
    showForgotPassword(),
    requestPasswordReset(clients),
    ...passwordResetEndpoints(clients),
    showConsent(clients),
    decideConsent(clients),
    showDevice(clients),
    submitDevice(clients),
    dashboard('/'),
    dashboard('/dashboard'),
    showEnrolment(clients),
    confirmTwoFactor(clients),
    showAddressConfirmation(clients),
    confirmAddress(clients),
    applicationPage('/dashboard/:section'),
    applicationPage('/dashboard/:section/:item'),
  ].map(withErrorPages);
