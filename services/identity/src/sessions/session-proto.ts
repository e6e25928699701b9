import { encodeMessage, type EncodedMessage } from '@parley/events';
import { SessionStage } from '@parley/proto/identity/v1/credentials_pb';
import { encodeCredentialRevoked } from '../revocations/credential-proto.ts';
import type { SessionEvent, Stage } from './session.ts';

export const stageToProto: Readonly<Record<Stage, SessionStage>> = {
  one_time_code: SessionStage.ONE_TIME_CODE,
  enrolment: SessionStage.ENROLMENT,
  signed_in: SessionStage.SIGNED_IN,
};

export function encodeSessionEvent(event: SessionEvent): EncodedMessage {
  if (event.type === 'identity.credential.revoked') return encodeCredentialRevoked(event);
  const { type, employeeId, sessionId } = event;
  return encodeMessage(type, { employeeId, sessionId });
}
