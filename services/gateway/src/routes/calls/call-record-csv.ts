import { type CallRecord, CallOutcome } from '@parley/proto/call_control/v1/call_records_pb';
import { CallDirection } from '@parley/proto/call_control/v1/calls_pb';
import { isoTime } from '@parley/public-json';
import type { CsvCell } from '../shared/csv-file.ts';

const outcomes: Readonly<Record<CallOutcome, string | null>> = {
  [CallOutcome.UNSPECIFIED]: null,
  [CallOutcome.ANSWERED]: 'answered',
  [CallOutcome.MISSED]: 'missed',
  [CallOutcome.VOICEMAIL]: 'voicemail',
  [CallOutcome.ABANDONED]: 'abandoned',
  [CallOutcome.UNANSWERED]: 'unanswered',
};

export const callRecordColumns = [
  'id',
  'started_at',
  'answered_at',
  'ended_at',
  'direction',
  'from',
  'to',
  'business_number_id',
  'business_number_name',
  'business_number',
  'employee_ids',
  'employee_names',
  'outcome',
  'wait_secs',
  'duration_secs',
  'transfers',
  'recording',
] as const;

export function callRecordCells(record: CallRecord): readonly CsvCell[] {
  return [
    record.id,
    isoTime(record.startedAt),
    isoTime(record.answeredAt),
    isoTime(record.endedAt),
    record.direction === CallDirection.OUTBOUND ? 'outbound' : 'inbound',
    record.from,
    record.to,
    record.mainNumberId,
    record.mainNumberName,
    record.mainNumber,
    record.employees.map(({ id }) => id).join(';'),
    record.employees.map(({ name }) => name).join(';'),
    outcomes[record.outcome],
    record.waitSecs,
    record.durationSecs,
    record.transfers,
    record.hasRecording,
  ];
}
