import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { encodeMessage, type EncodedMessage } from '@parley/events';
import type { VoicemailSchema } from '@parley/proto/call_control/v1/voicemails_pb';
import { callToProto } from '../calls/call-proto.ts';
import type { Voicemail, VoicemailEvent } from './voicemail.ts';

function voicemailToProto(voicemail: Voicemail): MessageInitShape<typeof VoicemailSchema> {
  return {
    id: voicemail.id,
    companyId: voicemail.companyId,
    callId: voicemail.callId,
    from: voicemail.from,
    ...(voicemail.listenedAt && { listenedAt: timestampFromDate(voicemail.listenedAt) }),
    ...(voicemail.transcription !== null && { transcription: voicemail.transcription }),
    createdAt: timestampFromDate(voicemail.createdAt),
    ...(voicemail.durationSecs !== null && { durationSecs: voicemail.durationSecs }),
    mainNumberId: voicemail.number.id,
    mainNumberName: voicemail.number.name,
    mainNumber: voicemail.number.number,
    mainNumberFormatted: voicemail.number.formatted,
  };
}

export function encodeVoicemailEvent({ type, voicemail, call }: VoicemailEvent): EncodedMessage {
  return encodeMessage(type, { voicemail: voicemailToProto(voicemail), call: callToProto(call) });
}
