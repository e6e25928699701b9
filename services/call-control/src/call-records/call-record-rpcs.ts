import type { MessageInitShape } from '@bufbuild/protobuf';
import { type Timestamp, timestampDate, timestampFromDate } from '@bufbuild/protobuf/wkt';
import {
  CallOutcome as ProtoOutcome,
  type CallRecordSchema,
  CallRecordService,
  RecordingUsageService,
} from '@parley/proto/call_control/v1/call_records_pb';
import { employees, type RpcServer, services } from '@parley/rpc';
import type { NoteStorage } from '../call-notes/stored-notes.ts';
import { recordingOf } from '../call-rpcs/call-views.ts';
import { readRemoteNumber } from '../call-rpcs/list-calls.ts';
import { directionFromProto, directionToProto, stateFromProto } from '../calls/store/call-proto.ts';
import type { Calls } from '../calls/store/call-store.ts';
import type { CountryOf } from '../clients/company-client.ts';
import {
  type CallOutcome,
  completedTransfersOf,
  outcomeOf,
  type RecordedCall,
  storedBytesOf,
  waitSecsOf,
} from '../calls/model/call-record.ts';

interface CallRecordDeps {
  readonly calls: Pick<Calls, 'recordsOf'>;
  readonly countryOf: CountryOf;
  readonly notes: Pick<NoteStorage, 'soughtTagKeys'>;
}

const outcomes: Readonly<Record<CallOutcome, ProtoOutcome>> = {
  answered: ProtoOutcome.ANSWERED,
  missed: ProtoOutcome.MISSED,
  voicemail: ProtoOutcome.VOICEMAIL,
  abandoned: ProtoOutcome.ABANDONED,
  unanswered: ProtoOutcome.UNANSWERED,
  assisted: ProtoOutcome.ASSISTED,
};

/** A phone number that cannot be one has no calls. */
export function addCallRecordService(server: RpcServer, { calls, countryOf, notes }: CallRecordDeps): void {
  server.add(CallRecordService, employees.withRole('admin'), {
    async *streamCallRecords(request, { principal: { companyId } }) {
      const { mainNumberId, phoneNumber, startedFrom, startedBefore, employeeId } = request;
      const direction = directionFromProto(request.direction);
      const state = stateFromProto(request.state);
      const remoteNumber =
        phoneNumber === undefined ? undefined : await readRemoteNumber(countryOf, companyId, phoneNumber);
      if (phoneNumber !== undefined && remoteNumber === undefined) return;
      const tag = request.tag?.trim();
      const filter = {
        ...(mainNumberId !== undefined && { numberId: mainNumberId }),
        ...(direction && { direction }),
        ...(state && { state }),
        ...(remoteNumber !== undefined && { remoteNumber }),
        ...(tag && { tagKeys: notes.soughtTagKeys(companyId, tag) }),
        ...timesOf(startedFrom, startedBefore),
      };
      const isWanted = ({ employees: participants }: RecordedCall) =>
        employeeId === undefined || participants.some(({ id }) => id === employeeId);
      for await (const chunk of calls.recordsOf(companyId, filter))
        yield { callRecords: chunk.filter(isWanted).map(recordToProto) };
    },
  });
  server.add(RecordingUsageService, services('reports'), {
    async getRecordingUsage({ companyId, startedFrom, startedBefore }) {
      let bytes = 0;
      for await (const chunk of calls.recordsOf(companyId, timesOf(startedFrom, startedBefore)))
        for (const call of chunk) bytes += storedBytesOf(call);
      return { bytes: BigInt(bytes) };
    },
  });
}

/** Filters include their bounds, and times are stored in milliseconds. */
function timesOf(from: Timestamp | undefined, before: Timestamp | undefined) {
  return {
    ...(from && { startedAfter: timestampDate(from) }),
    ...(before && { startedBefore: new Date(timestampDate(before).getTime() - 1) }),
  };
}

function recordToProto(call: RecordedCall): MessageInitShape<typeof CallRecordSchema> {
  const { answeredAt, endedAt, durationSecs, number } = call;
  const [outcome, waitSecs] = [outcomeOf(call), waitSecsOf(call)];
  return {
    id: call.id,
    startedAt: timestampFromDate(call.startedAt),
    ...(answeredAt && { answeredAt: timestampFromDate(answeredAt) }),
    ...(endedAt && { endedAt: timestampFromDate(endedAt) }),
    direction: directionToProto(call.direction),
    from: call.from,
    to: call.to,
    mainNumberId: number.id,
    mainNumberName: number.name,
    mainNumber: number.number,
    employees: call.employees.map(({ id, name }) => ({ id, name })),
    outcome: outcome ? outcomes[outcome] : ProtoOutcome.UNSPECIFIED,
    ...(waitSecs !== undefined && { waitSecs }),
    ...(durationSecs !== null && { durationSecs }),
    transfers: completedTransfersOf(call),
    hasRecording: recordingOf(call) !== undefined,
  };
}
