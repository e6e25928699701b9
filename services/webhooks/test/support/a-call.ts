import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { CallDirection, CallState } from '@parley/proto/call_control/v1/calls_pb';

export const createdAt = new Date('2026-03-01T12:00:00.007Z');
export const updatedAt = new Date('2026-03-02T12:00:00.000Z');

/** A call of an event, and as it is sent. */
export const call = {
  id: 'cal_1',
  companyId: 'com_1',
  from: '+4512345678',
  to: '+4570000000',
  direction: CallDirection.INBOUND,
  state: CallState.QUEUED,
  startedAt: timestampFromDate(createdAt),
  mainNumberId: 'num_1',
  mainNumberName: 'Support',
  mainNumber: '+4570000000',
  mainNumberFormatted: '+45 70 00 00 00',
  callControlId: 'leg_1',
};
export const callJson = {
  id: 'cal_1',
  from: '+4512345678',
  to: '+4570000000',
  direction: 'inbound',
  state: 'queued',
  started_at: '2026-03-01T12:00:00.007Z',
  answered_at: null,
  duration: null,
  summary: null,
  transcription: null,
  transcription_segments: null,
  main_number_id: 'num_1',
  main_number_name: 'Support',
  main_number_number: '+4570000000',
  main_number_number_formatted: '+45 70 00 00 00',
  recording_url: null,
  employees: [],
  initiated_by: null,
  assistant: null,
  call_control_id: 'leg_1',
};
