import { runAs } from '@parley/actor';
import type { Clock } from '@parley/clock';
import { decided } from '@parley/errors';
import { newId } from '@parley/secrets';
import type { Accounts } from '../accounts/account-store.ts';
import type { Grants } from '../grants/grant-store.ts';
import { openDeviceGrant } from '../grants/grant.ts';
import { errorResponse, firstTokens, issued, newGrantTokens, type TokenResponse } from '../grants/token-pair.ts';
import type { OAuthClient } from '../oauth-clients/oauth-client.ts';
import type { SignInPolicies } from '../sign-in-policies/sign-in-policy-store.ts';
import type { DeviceAuthorizations } from './device-authorization-store.ts';
import {
  type Approval,
  type DeviceAuthorization,
  pollAuthorization,
  type PollOutcome,
} from './device-authorization.ts';

export interface DeviceGrantDeps {
  readonly deviceAuthorizations: DeviceAuthorizations;
  readonly signInPolicies: SignInPolicies;
  readonly grants: Grants;
  readonly accounts: Accounts;
  readonly clock: Clock;
}

/** A request for tokens with a device code (RFC 8628 section 3.4). */
export async function redeemDeviceCode(
  deps: DeviceGrantDeps,
  client: OAuthClient,
  deviceCode: string,
): Promise<TokenResponse> {
  const { deviceAuthorizations, signInPolicies, clock } = deps;
  if (!client.deviceGrant) return errorResponse('unauthorized_client', 'the client may not use the device grant');
  const found = await deviceAuthorizations.byDeviceCode(deviceCode);
  if (!found) return errorResponse('invalid_grant', 'the device code is unknown');
  const company = found.companyId === null ? null : await companyOf(signInPolicies, found.companyId);
  const request = { clientId: client.id, company };
  const decision = await deviceAuthorizations.decide(found, (current) =>
    pollAuthorization(current, request, clock.now()),
  );
  if (!decision) return errorResponse('invalid_grant', 'the device code is unknown');
  const { outcome } = decision;
  return outcome.kind === 'allowed' ? issueTokens(deps, found, outcome.by) : refusalOf(outcome);
}

async function companyOf(signInPolicies: SignInPolicies, id: string) {
  return { id, isTurnedOff: !(await signInPolicies.allowsDevices(id)) };
}

function refusalOf(outcome: Exclude<PollOutcome, { kind: 'allowed' }>): TokenResponse {
  switch (outcome.kind) {
    case 'pending':
      return errorResponse('authorization_pending', 'the employee has not decided yet');
    case 'slow_down':
      return errorResponse('slow_down', 'wait five seconds longer between two requests');
    case 'denied':
      return errorResponse('access_denied', 'access was denied');
    case 'expired':
      return errorResponse('expired_token', 'the device code has expired');
    case 'not_valid':
      return errorResponse('invalid_grant', outcome.problem);
  }
}

/** The code is redeemed already. The grant begins with its tokens, in one write, on behalf of the employee who allowed it. */
async function issueTokens(
  { grants, accounts, clock }: DeviceGrantDeps,
  { clientId, clientName, scope, deviceCodeDigest, expiresAt }: DeviceAuthorization,
  by: Approval,
): Promise<TokenResponse> {
  const { companyId, employeeId } = by;
  // Whoever was deactivated after allowing it has no session any more that could allow anything.
  if (!(await accounts.byEmployee(employeeId))) return errorResponse('access_denied', 'access was denied');
  const pair = firstTokens();
  const now = clock.now();
  const opened = openDeviceGrant(
    { id: newId('gra'), companyId, employeeId, clientId, clientName, scope },
    { digest: deviceCodeDigest, expiresAt },
    newGrantTokens(pair),
    now,
  );
  await runAs(actorOf(by), () => grants.of(companyId).create(decided(opened.state, opened.events)));
  // An employee may be deleted at the same moment: either the deletion finds this grant, or this check finds the deletion.
  if (await accounts.isDeleted(employeeId)) {
    await grants.endAll({ companyId, employeeId });
    return errorResponse('access_denied', 'access was denied');
  }
  return issued(pair, now);
}

/** The browser's address, not the program's: this is what the employee did. */
function actorOf({ employeeId, name, sessionId, address }: Approval) {
  const credential = { type: 'session', id: sessionId, name: '' };
  return { type: 'employee', id: employeeId, name, credential, address } as const;
}
