import type { Call } from '@parley/proto/call_control/v1/calls_pb';
import type { Voicemail } from '@parley/proto/call_control/v1/voicemails_pb';
import { callJson } from './call-json.ts';
import { isoTime } from './iso-time.ts';
import { definePayload, type Payload, type PayloadSources } from './payload.ts';

export const voicemailPayloads: readonly Payload[] = [
  definePayload({
    fact: 'call-control.voicemail.created',
    event: 'voicemail.new',
    data: ({ call, voicemail }, sources) => callWithVoicemail(call, voicemail, sources),
  }),
  definePayload({
    fact: 'call-control.voicemail.transcription_done',
    event: 'voicemail.transcription_done',
    data: ({ call, voicemail }, sources) => callWithVoicemail(call, voicemail, sources),
  }),
];

/** The voicemail of an event has no address; that of the call is of its conversation. */
async function callWithVoicemail(
  call: Call | undefined,
  voicemail: Voicemail | undefined,
  sources: PayloadSources,
): Promise<object> {
  if (!voicemail) throw new Error('a voicemail event without its voicemail');
  return {
    ...(await callJson(call, sources)),
    voicemail: {
      id: voicemail.id,
      from: voicemail.from,
      main_number_name: voicemail.mainNumberName,
      main_number_number: voicemail.mainNumber,
      transcription: voicemail.transcription ?? null,
      created_at: isoTime(voicemail.createdAt),
    },
  };
}
