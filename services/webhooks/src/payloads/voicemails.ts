import type { Call } from '@parley/proto/call_control/v1/calls_pb';
import type { Voicemail } from '@parley/proto/call_control/v1/voicemails_pb';
import { callJson } from './call-json.ts';
import { isoTime } from './iso-time.ts';
import { definePayload, type Payload } from './payload.ts';

export const voicemailPayloads: readonly Payload[] = [
  definePayload({
    fact: 'call-control.voicemail.created',
    event: 'voicemail.new',
    data: ({ call, voicemail }) => callWithVoicemail(call, voicemail),
  }),
  definePayload({
    fact: 'call-control.voicemail.transcription_done',
    event: 'voicemail.transcription_done',
    data: ({ call, voicemail }) => callWithVoicemail(call, voicemail),
  }),
];

function callWithVoicemail(call: Call | undefined, voicemail: Voicemail | undefined): object {
  if (!voicemail) throw new Error('a voicemail event without its voicemail');
  return {
    ...callJson(call),
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
