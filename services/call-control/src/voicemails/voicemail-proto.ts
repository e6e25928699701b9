import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { type EncodedMessage, encodeMessage } from '@parley/events';
import type { VoicemailSchema } from '@parley/proto/call_control/v1/voicemails_pb';
import type { Encryptor } from '@parley/secrets';
import { callToProto } from '../calls/store/call-proto.ts';
import { isTranscribed, type Voicemail, type VoicemailEvent } from './voicemail.ts';

/** The fields of a voicemail's representation that are stored elsewhere; never in events. */
interface VoicemailRelations {
  readonly transcription?: string | null;
  /** A signed address of the audio, which expires. */
  readonly recordingUrl?: string | undefined;
}

export function voicemailToProto(
  voicemail: Voicemail,
  { transcription = null, recordingUrl }: VoicemailRelations = {},
): MessageInitShape<typeof VoicemailSchema> {
  return {
    id: voicemail.id,
    companyId: voicemail.companyId,
    callId: voicemail.callId,
    from: voicemail.from,
    ...(voicemail.listenedAt && { listenedAt: timestampFromDate(voicemail.listenedAt) }),
    hasTranscription: isTranscribed(voicemail),
    ...(transcription !== null && { transcription }),
    createdAt: timestampFromDate(voicemail.createdAt),
    ...(recordingUrl !== undefined && { recordingUrl }),
    ...(voicemail.durationSecs !== null && { durationSecs: voicemail.durationSecs }),
    mainNumberId: voicemail.number.id,
    mainNumberName: voicemail.number.name,
    mainNumber: voicemail.number.number,
    mainNumberFormatted: voicemail.number.formatted,
  };
}

/** Without what was said: events are stored as they are. */
export function encodeVoicemailEvent(event: VoicemailEvent): EncodedMessage {
  const voicemail = voicemailToProto(event.voicemail);
  if ('call' in event) return encodeMessage(event.type, { voicemail, call: callToProto(event.call) });
  return encodeMessage(event.type, { voicemail });
}

export const transcriptionContext = (voicemailId: string) => `voicemail/${voicemailId}/transcription`;

/** The transcriptions of voicemails, which are encrypted in the database. */
export type VoicemailTexts = ReturnType<typeof voicemailTexts>;

export function voicemailTexts({ encrypt, decrypt }: Pick<Encryptor, 'encrypt' | 'decrypt'>) {
  return {
    /** A transcription as it is stored. */
    seal: (id: string, text: string) => encrypt(text, transcriptionContext(id)),
    /** Null while there is none; empty where nothing was said. */
    textOf: ({ id, sealedTranscription }: Pick<Voicemail, 'id' | 'sealedTranscription'>) =>
      sealedTranscription === undefined ? null : decrypt(sealedTranscription, transcriptionContext(id)),
  };
}
