import type { Call } from '@parley/proto/call_control/v1/calls_pb';
import type { Voicemail } from '@parley/proto/call_control/v1/voicemails_pb';
import { voicemailEventJson } from '@parley/public-json';
import { callData } from './calls.ts';
import { definePayload, type Payload, type PayloadSources } from './payload.ts';

export const voicemailPayloads: readonly Payload[] = [
  definePayload({ fact: 'call-control.voicemail.created', event: 'voicemail.new', data: voicemailData }),
  definePayload({
    fact: 'call-control.voicemail.transcription_done',
    event: 'voicemail.transcription_done',
    data: voicemailData,
  }),
];

async function voicemailData(
  { call, voicemail }: { call?: Call; voicemail?: Voicemail },
  sources: PayloadSources,
): Promise<object> {
  if (!voicemail) throw new Error('a voicemail event without its voicemail');
  // An event that happened before the transcription is delivered without it.
  const { id, companyId, hasTranscription } = voicemail;
  const transcription = hasTranscription ? await sources.voicemailText(companyId, id) : undefined;
  return {
    ...(await callData({ call }, sources)),
    voicemail: voicemailEventJson({ ...voicemail, transcription }),
  };
}
