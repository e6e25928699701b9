import { create, toBinary } from '@bufbuild/protobuf';
import type { EncodedEvent } from '@parley/outbox';
import { EmployeeSignedInSchema } from '@parley/proto/identity/v1/credential_events_pb';
import { SessionStage } from '@parley/proto/identity/v1/credentials_pb';
import { encodeCredentialRevoked } from '../credentials/credential-proto.ts';
import type { SessionEvent, Stage } from './session.ts';

export const stageToProto: Readonly<Record<Stage, SessionStage>> = {
  one_time_code: SessionStage.ONE_TIME_CODE,
  enrolment: SessionStage.ENROLMENT,
  signed_in: SessionStage.SIGNED_IN,
};

export function encodeSessionEvent(event: SessionEvent): EncodedEvent {
  if (event.type === 'identity.credential.revoked') return encodeCredentialRevoked(event);
  const { type, employeeId, sessionId } = event;
  return { type, data: toBinary(EmployeeSignedInSchema, create(EmployeeSignedInSchema, { employeeId, sessionId })) };
}
