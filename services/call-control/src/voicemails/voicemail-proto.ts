import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { encodeMessage, type EncodedMessage } from '@parley/events';
import type { VoicemailSchema } from '@parley/proto/call_control/v1/voicemails_pb';
import { callToProto } from '../calls/store/call-proto.ts';
import type { Voicemail, VoicemailEvent } from './voicemail.ts';

/** `recordingUrl`: where the audio is for now; never in events. */
export function voicemailToProto(
  voicemail: Voicemail,
  recordingUrl?: string,
): MessageInitShape<typeof VoicemailSchema> {
  return {
    id: voicemail.id,
    companyId: voicemail.companyId,
    callId: voicemail.callId,
    from: voicemail.from,
    ...(voicemail.listenedAt && { listenedAt: timestampFromDate(voicemail.listenedAt) }),
    ...(voicemail.transcription !== null && { transcription: voicemail.transcription }),
    createdAt: timestampFromDate(voicemail.createdAt),
    ...(recordingUrl !== undefined && { recordingUrl }),
    ...(voicemail.durationSecs !== null && { durationSecs: voicemail.durationSecs }),
    mainNumberId: voicemail.number.id,
    mainNumberName: voicemail.number.name,
    mainNumber: voicemail.number.number,
    mainNumberFormatted: voicemail.number.formatted,
  };
}

export function encodeVoicemailEvent(event: VoicemailEvent): EncodedMessage {
  const voicemail = voicemailToProto(event.voicemail);
  if ('call' in event) return encodeMessage(event.type, { voicemail, call: callToProto(event.call) });
  return encodeMessage(event.type, { voicemail });
}
