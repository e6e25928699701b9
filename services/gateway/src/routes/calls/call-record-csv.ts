import { type CallRecord, CallOutcome } from '@parley/proto/call_control/v1/call_records_pb';
import { CallDirection } from '@parley/proto/call_control/v1/calls_pb';
import { isoTime } from '@parley/public-json';
import type { CsvColumn } from '../shared/csv-file.ts';

const outcomes: Readonly<Record<CallOutcome, string | null>> = {
  [CallOutcome.UNSPECIFIED]: null,
  [CallOutcome.ANSWERED]: 'answered',
  [CallOutcome.MISSED]: 'missed',
  [CallOutcome.VOICEMAIL]: 'voicemail',
  [CallOutcome.ABANDONED]: 'abandoned',
  [CallOutcome.UNANSWERED]: 'unanswered',
  [CallOutcome.ASSISTED]: 'assisted',
};

export const callRecordColumns: readonly CsvColumn<CallRecord>[] = [
  ['id', ({ id }) => id],
  ['started_at', ({ startedAt }) => isoTime(startedAt)],
  ['answered_at', ({ answeredAt }) => isoTime(answeredAt)],
  ['ended_at', ({ endedAt }) => isoTime(endedAt)],
  ['direction', ({ direction }) => (direction === CallDirection.OUTBOUND ? 'outbound' : 'inbound')],
  ['from', ({ from }) => from],
  ['to', ({ to }) => to],
  ['business_number_id', ({ mainNumberId }) => mainNumberId],
  ['business_number_name', ({ mainNumberName }) => mainNumberName],
  ['business_number', ({ mainNumber }) => mainNumber],
  ['employee_ids', ({ employees }) => employees.map(({ id }) => id).join(';')],
  ['employee_names', ({ employees }) => employees.map(({ name }) => name).join(';')],
  ['outcome', ({ outcome }) => outcomes[outcome]],
  ['wait_secs', ({ waitSecs }) => waitSecs],
  ['duration_secs', ({ durationSecs }) => durationSecs],
  ['transfers', ({ transfers }) => transfers],
  ['recording', ({ hasRecording }) => hasRecording],
];
