import { type Call, CallState } from '@parley/proto/call_control/v1/calls_pb';
import { callEventJson, notesJson } from '@parley/public-json';
import { definePayload, type Payload, type PayloadSources } from './payload.ts';

/** Every event of a call carries the call as it was then. */
export const callPayloads: readonly Payload[] = [
  definePayload({ fact: 'call-control.call.initiated', event: 'call.initiated', data: callData }),
  definePayload({
    fact: 'call-control.call.outside_business_hours',
    event: 'call.outside_business_hours',
    data: callData,
  }),
  definePayload({ fact: 'call-control.call.queued', event: 'call.queued', data: callData }),
  definePayload({ fact: 'call-control.call.answered', event: 'call.answered', data: callData }),
  definePayload({ fact: 'call-control.call.ended', event: 'call.ended', data: callData }),
  definePayload({ fact: 'call-control.call.lost', event: 'call.lost', data: callData }),
  definePayload({ fact: 'call-control.call.transcription_done', event: 'call.transcription_done', data: callData }),
  definePayload({ fact: 'call-control.call.note_changed', event: 'call.note_changed', data: noteData }),
  definePayload({ fact: 'call-control.call.held', event: 'call.held', data: callData }),
  definePayload({ fact: 'call-control.call.resumed', event: 'call.resumed', data: callData }),
];

export async function callData({ call }: { call?: Call }, { callContent }: PayloadSources): Promise<object> {
  if (!call) throw new Error('a call event without its call');
  // Before its end nothing of a call is recorded completely, and nothing ever of one that nobody answered.
  const mayBeRecorded = call.state === CallState.ENDED && call.answeredAt !== undefined;
  const content = mayBeRecorded ? await callContent(call.companyId, call.id) : undefined;
  // An event that happened before the transcription is delivered without it, however late.
  const { summary, transcription, transcriptionSegments } = (call.hasTranscription && content) || call;
  return callEventJson({
    ...call,
    summary,
    transcription,
    transcriptionSegments,
    hasTranscription: transcription !== undefined,
    recordingUrl: content?.recordingUrl,
  });
}

/** With note and tags as they are when it is sent: no event carries them. */
async function noteData(fact: { call?: Call }, sources: PayloadSources): Promise<object> {
  const data = await callData(fact, sources);
  const content = fact.call && (await sources.callContent(fact.call.companyId, fact.call.id));
  return { ...data, ...notesJson(content ?? { tags: [] }) };
}
