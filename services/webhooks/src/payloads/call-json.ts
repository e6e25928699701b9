import { type Call, CallDirection, type CallParticipant, CallState } from '@parley/proto/call_control/v1/calls_pb';
import { isoTime } from './iso-time.ts';
import type { PayloadSources } from './payload.ts';

/** The specification's call model, with the field names it has in events. */
export async function callJson(call: Call | undefined, { callContent }: PayloadSources): Promise<object> {
  if (!call) throw new Error('a call event without its call');
  // Before its end nothing of a call is recorded completely.
  const content = call.state === CallState.ENDED ? await callContent(call.companyId, call.id) : undefined;
  // An event that happened before the transcription is delivered without it, however late.
  const said = (call.hasTranscription && content) || call;
  return {
    id: call.id,
    from: call.from,
    to: call.to,
    direction: CallDirection[call.direction].toLowerCase(),
    state: CallState[call.state].toLowerCase(),
    started_at: isoTime(call.startedAt),
    answered_at: isoTime(call.answeredAt),
    duration: call.durationSecs ?? null,
    summary: said.summary ?? null,
    transcription: said.transcription ?? null,
    transcription_segments: segmentsJson(said),
    main_number_id: call.mainNumberId,
    main_number_name: call.mainNumberName,
    main_number_number: call.mainNumber,
    main_number_number_formatted: call.mainNumberFormatted,
    recording_url: content?.recordingUrl ?? null,
    employees: call.employees.map(participantJson),
    initiated_by: call.initiatedBy ? participantJson(call.initiatedBy) : null,
    call_control_id: call.callControlId,
  };
}

/** Empty where nothing was said. */
function segmentsJson({
  transcription,
  transcriptionSegments,
}: Pick<Call, 'transcription' | 'transcriptionSegments'>): object[] | null {
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
