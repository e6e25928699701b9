import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import type { MessageInitShape } from '@bufbuild/protobuf';
import { currentActor } from '@parley/actor';
import type { Clock } from '@parley/clock';
import {
  DeviceAuthorizationService,
  DeviceRefusalReason,
  type DeviceQuestionSchema,
} from '@parley/proto/identity/v1/device_authorizations_pb';
import { type Handler, type RpcServer, type ServicePrincipal, services } from '@parley/rpc';
import { digest, newId, newSecret } from '@parley/secrets';
import { oauthError } from '../oauth-protocol/oauth-error.ts';
import type { OAuthClients } from '../oauth-clients/oauth-client-store.ts';
import type { SessionVerifier, VerifiedSession } from '../sessions/verify-session.ts';
import type { SignInPolicies } from '../sign-in-policies/sign-in-policy-store.ts';
import type { Throttles } from '../throttles/throttle-store.ts';
import { countEntry } from './code-limits.ts';
import type { DeviceAuthorizations } from './device-authorization-store.ts';
import {
  decideAuthorization,
  DEVICE_CODE_LIFETIME_SECS,
  type DeviceAuthorization,
  enterCode,
  POLL_INTERVAL_SECS,
  requestAuthorization,
} from './device-authorization.ts';
import { newUserCode, readUserCode } from './user-code.ts';

export interface DeviceAuthorizationDeps {
  readonly deviceAuthorizations: DeviceAuthorizations;
  readonly signInPolicies: SignInPolicies;
  readonly clients: OAuthClients;
  readonly verifySession: SessionVerifier;
  readonly throttles: Throttles;
  readonly clock: Clock;
}

/** Anybody can ask, so storage is bounded: about 1 kB for each of these. */
const REQUESTS = { max: 300, windowSecs: 60 };
const REQUESTS_PER_DAY = { max: 5000, windowSecs: 24 * 3600 };
const tooManyRequests = oauthError('temporarily_unavailable', 'too many requests; try again later');
/** Two programs hardly ever get the same code, of 25 billion. */
const ATTEMPTS_MAX = 5;

type Method = typeof DeviceAuthorizationService.method;

const beginDeviceAuthorizationRpc =
  (deps: DeviceAuthorizationDeps): Handler<Method['beginDeviceAuthorization'], ServicePrincipal> =>
  async ({ clientId, scope, address, network, userAgent }) => {
    const { deviceAuthorizations, clients, throttles, clock } = deps;
    const failed = (value: ReturnType<typeof oauthError>) => ({ outcome: { case: 'error' as const, value } });
    const client = await clients.get(clientId, clock.now());
    if (!client) return failed(oauthError('invalid_client', 'client_id is unknown'));
    if (!client.deviceGrant)
      return failed(oauthError('unauthorized_client', 'the client may not use the device grant'));
    for (const [what, limit] of [
      ['device authorizations', REQUESTS],
      ['device authorizations in a day', REQUESTS_PER_DAY],
    ] as const) {
      const counted = await throttles.consume([what, network], limit);
      if (!counted.allowed) return failed(tooManyRequests);
    }
    const deviceCode = newSecret('deviceCode');
    for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt += 1) {
      const userCode = newUserCode();
      const requested = requestAuthorization(
        {
          id: newId('dau'),
          clientId,
          clientName: client.name,
          scope,
          deviceCodeDigest: digest(deviceCode),
          userCodeDigest: digest(userCode),
          requestedFrom: { address, program: userAgent },
        },
        clock.now(),
      );
      if (!(await deviceAuthorizations.add(requested))) continue;
      const times = { expiresInSecs: DEVICE_CODE_LIFETIME_SECS, intervalSecs: POLL_INTERVAL_SECS };
      return { outcome: { case: 'codes', value: { deviceCode, userCode, ...times } } };
    }
    throw new Error('no free user code');
  };

const checkDeviceSignInRpc =
  ({
    verifySession,
    signInPolicies,
  }: DeviceAuthorizationDeps): Handler<Method['checkDeviceSignIn'], ServicePrincipal> =>
  async ({ session }) => {
    const signedIn = await verifySession(session);
    return { allowed: signedIn !== undefined && (await signInPolicies.allowsDevices(signedIn.session.companyId)) };
  };

const enterUserCodeRpc =
  (deps: DeviceAuthorizationDeps): Handler<Method['enterUserCode'], ServicePrincipal> =>
  async ({ userCode, session, address }) => {
    const { deviceAuthorizations, signInPolicies, throttles, clock } = deps;
    const signedIn = await signedInBy(deps, session);
    if (!signedIn) return refused(DeviceRefusalReason.SIGNED_OUT);
    const { id: sessionId, companyId } = signedIn.session;
    const attempt = await countEntry(throttles, sessionId, address);
    if (!attempt.allowed) return refused(DeviceRefusalReason.THROTTLED, attempt.retryAfterSecs);
    const found = await findByUserCode(deps, userCode);
    if (!found) return refused(DeviceRefusalReason.NOT_VALID);
    const entry = { sessionId, companyId, isTurnedOff: !(await signInPolicies.allowsDevices(companyId)) };
    const now = clock.now();
    const decision = await deviceAuthorizations.decide(found, (current) => enterCode(current, entry, now));
    if (!decision || decision.outcome === 'not_valid') return refused(DeviceRefusalReason.NOT_VALID);
    await attempt.withdraw();
    if (decision.outcome === 'turned_off') return refused(DeviceRefusalReason.TURNED_OFF);
    return { outcome: { case: 'ask', value: questionToProto(found, now) } };
  };

/** Not limited: a code that this session has not entered is refused, whether or not it exists. */
const decideDeviceAuthorizationRpc =
  (deps: DeviceAuthorizationDeps): Handler<Method['decideDeviceAuthorization'], ServicePrincipal> =>
  async ({ userCode, allowed: isAllowed, session }) => {
    const { deviceAuthorizations, signInPolicies, clock } = deps;
    const signedIn = await signedInBy(deps, session);
    if (!signedIn) return refused(DeviceRefusalReason.SIGNED_OUT);
    const found = await findByUserCode(deps, userCode);
    if (!found) return refused(DeviceRefusalReason.NOT_VALID);
    const { companyId, employeeId, id: sessionId } = signedIn.session;
    const by = { companyId, employeeId, name: signedIn.account.name, sessionId, address: currentActor()?.address };
    const isTurnedOff = !(await signInPolicies.allowsDevices(companyId));
    const decision = await deviceAuthorizations.decide(found, (current) =>
      decideAuthorization(current, { by, isAllowed, isTurnedOff }, clock.now()),
    );
    if (!decision || decision.outcome === 'not_valid') return refused(DeviceRefusalReason.NOT_VALID);
    if (decision.outcome === 'turned_off') return refused(DeviceRefusalReason.TURNED_OFF);
    return { outcome: { case: 'decided', value: found.clientName } };
  };

/** Every RPC of the contract and its handler. */
export function addDeviceAuthorizationService(server: RpcServer, deps: DeviceAuthorizationDeps): void {
  server.add(DeviceAuthorizationService, services('gateway'), {
    beginDeviceAuthorization: beginDeviceAuthorizationRpc(deps),
    checkDeviceSignIn: checkDeviceSignInRpc(deps),
    enterUserCode: enterUserCodeRpc(deps),
    decideDeviceAuthorization: decideDeviceAuthorizationRpc(deps),
  });
}

async function signedInBy(
  { verifySession }: DeviceAuthorizationDeps,
  session: string,
): Promise<VerifiedSession | undefined> {
  const verified = await verifySession(session);
  return verified?.stage === 'signed_in' ? verified : undefined;
}

async function findByUserCode(
  { deviceAuthorizations }: DeviceAuthorizationDeps,
  typed: string,
): Promise<DeviceAuthorization | undefined> {
  const userCode = readUserCode(typed);
  return userCode === undefined ? undefined : deviceAuthorizations.byUserCode(userCode);
}

function refused(reason: DeviceRefusalReason, retryAfterSecs = 0) {
  return { outcome: { case: 'refusal' as const, value: { reason, retryAfterSecs } } };
}

function questionToProto(
  { clientName, scope, requestedAt, requestedFrom }: DeviceAuthorization,
  now: Date,
): MessageInitShape<typeof DeviceQuestionSchema> {
  const elapsedMs = Math.max(0, now.getTime() - requestedAt.getTime());
  return {
    clientName,
    scope,
    requestedAt: timestampFromDate(requestedAt),
    requestedSecsAgo: Math.floor(elapsedMs / 1000),
    ...requestedFrom,
  };
}
