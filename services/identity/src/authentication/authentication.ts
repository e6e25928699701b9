import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import type { MessageInitShape } from '@bufbuild/protobuf';
import { digest, type Encryptor, newId, newSecret } from '@parley/secrets';
import type { OpenedSessionSchema, Visitor } from '@parley/proto/identity/v1/sign_in_pb';
import type { Clock } from '@parley/clock';
import { runAsEmployee } from '../audit/credential-audit.ts';
import { notFound, Refused } from '@parley/errors';
import { type Account, emailKeyOf, recordSignIn, isOpen } from '../accounts/account.ts';
import { openSession, type Stage } from '../sessions/session.ts';
import { type Sessions, stageToProto } from '../sessions/session-store.ts';
import type { CompanyRules } from '../companies/company-rules-store.ts';
import type { Attempt } from './attempt-limits.ts';
import type { Accounts } from '../accounts/account-store.ts';
import type { FailedSignInRecorder } from './record-failed-sign-in.ts';
import type { Devices } from '../devices/device-store.ts';
import type { SessionVerifier } from '../sessions/verify-session.ts';
import type { Throttles } from '../throttles/throttle-store.ts';

export interface AuthenticationDeps {
  readonly accounts: Accounts;
  readonly sessions: Sessions;
  readonly devices: Devices;
  readonly throttles: Throttles;
  readonly companyRules: CompanyRules;
  readonly verifySession: SessionVerifier;
  readonly encryptor: Encryptor;
  readonly recordFailedSignIn: FailedSignInRecorder;
  readonly clock: Clock;
}

/**
 * Opens a session under a new secret and ends the previous session of the browser: the value of its cookie before a
 * step of the sign-in is invalid after it. Somebody who was deactivated meanwhile gets one that is over, or none.
 */
export async function startSession(
  { accounts, sessions, devices, clock }: AuthenticationDeps,
  account: Account,
  stage: Stage,
  visitor: Visitor,
  enteredCode = false,
): Promise<MessageInitShape<typeof OpenedSessionSchema>> {
  if (!isOpen(account)) throw new Refused(notFound);
  const now = clock.now();
  const { companyId, employeeId, passwordVersion } = account;
  if (stage === 'signed_in' && (!account.firstSignInAt || account.invitation))
    await accounts.of(companyId).change(account.id, (current) => recordSignIn(current, now));
  const secret = newSecret('signInSession');
  const { userAgent, address } = visitor;
  const fields = {
    id: newId('ses'),
    companyId,
    employeeId,
    digest: digest(secret),
    stage,
    enteredCode,
    passwordVersion,
  };
  const session = await runAsEmployee(account, fields.id, async () => {
    const created = await sessions.of(companyId).create(openSession({ ...fields, userAgent, address }, now));
    const previous = visitor.session === '' ? undefined : await sessions.bySecret(visitor.session);
    if (previous) await sessions.end(previous);
    return created;
  });
  const isNewDevice = stage === 'signed_in' && !(await devices.isKnown(visitor.device, employeeId, now));
  return {
    session: secret,
    stage: stageToProto[stage],
    expiresAt: timestampFromDate(session.expiresAt),
    device: isNewDevice ? await devices.add(employeeId, now) : '',
  };
}

/** The stage of a sign-in after the first factor, a password or a link from an e-mail. */
export async function stageFor(companyRules: CompanyRules, account: Account): Promise<Stage> {
  if (account.twoFactor) return 'one_time_code';
  return (await companyRules.requiresTwoFactor(account.companyId)) ? 'enrolment' : 'signed_in';
}

/** The account of the address, and the attempt. The browser is looked up for an unknown address too, to take the same time. */
export async function attemptBy(
  { accounts, devices, clock }: Pick<AuthenticationDeps, 'accounts' | 'devices' | 'clock'>,
  email: string,
  { device, address }: Visitor,
): Promise<{ account: Account | undefined; attempt: Attempt }> {
  const account = await accounts.byEmail(email);
  const isKnown = await devices.isKnown(device, account?.employeeId ?? '', clock.now());
  return {
    account,
    attempt: { emailKey: emailKeyOf(email), address, knownDevice: isKnown ? digest(device) : undefined },
  };
}
