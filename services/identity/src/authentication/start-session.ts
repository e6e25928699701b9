import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import type { MessageInitShape } from '@bufbuild/protobuf';
import { newId } from '@parley/ids';
import type { OpenedSessionSchema, Visitor } from '@parley/proto/identity/v1/sign_in_pb';
import { digest, newSecret } from '@parley/secrets';
import { runAsEmployee } from '../audit/employee-actor.ts';
import { type Account, recordSignIn } from '../accounts/account.ts';
import { openSession, type Stage } from '../sessions/session.ts';
import { stageToProto } from '../sessions/session-proto.ts';
import type { AuthenticationDeps } from './authentication-deps.ts';

/**
 * Opens a session under a new secret and ends the previous session of the browser: the value of its cookie before a
 * step of the sign-in is invalid after it.
 */
export async function startSession(
  { accounts, sessions, devices, clock }: AuthenticationDeps,
  account: Account,
  stage: Stage,
  visitor: Visitor,
  enteredCode = false,
): Promise<MessageInitShape<typeof OpenedSessionSchema>> {
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
