import { type Call, CallDirection, type CallParticipant, CallState } from '@parley/proto/call_control/v1/calls_pb';
import { isoTime } from './iso-time.ts';

/** The specification's call model, with the field names it has in events. */
export function callJson(call: Call | undefined): object {
  if (!call) throw new Error('a call event without its call');
  return {
    id: call.id,
    from: call.from,
    to: call.to,
    direction: CallDirection[call.direction].toLowerCase(),
    state: CallState[call.state].toLowerCase(),
    started_at: isoTime(call.startedAt),
    answered_at: isoTime(call.answeredAt),
    duration: call.durationSecs ?? null,
    summary: call.summary ?? null,
    transcription: call.transcription ?? null,
    transcription_segments: segmentsJson(call),
    main_number_id: call.mainNumberId,
    main_number_name: call.mainNumberName,
    main_number_number: call.mainNumber,
    main_number_number_formatted: call.mainNumberFormatted,
    // Addresses of recordings are signed for each API request only.
    recording_url: null,
    employees: call.employees.map(participantJson),
    initiated_by: call.initiatedBy ? participantJson(call.initiatedBy) : null,
    call_control_id: call.callControlId,
  };
}

/** Empty where nothing was said. */
function segmentsJson({ transcription, transcriptionSegments }: Call): object[] | null {
  if (transcription === undefined) return null;
  return transcriptionSegments.map(({ speaker, text, employeeId }) => ({
    speaker,
    text,
    ...(employeeId !== undefined && { employee_id: employeeId }),
  }));
}

function participantJson({ id, name }: CallParticipant): object {
  return { id, name };
}
