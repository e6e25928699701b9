import type { Voicemail } from '@parley/proto/call_control/v1/voicemails_pb';
import { z } from 'zod';
import { isoTime, isoTimeOf } from './value-json.ts';

const commonFields = {
  id: z.string(),
  from: z.string().describe('E.164, or `anonymous`'),
  listened_at: z.string().nullable(),
  transcription: z.string().nullable().describe('Null until transcribed'),
  created_at: z.string(),
  recording_url: z.string().nullable().describe('Signed for each request; null while the audio is processed'),
  main_number_id: z.string(),
  main_number_name: z.string(),
};

/** A voicemail in the list. */
export const listedVoicemailSchema = z
  .object({ ...commonFields, main_number: z.string(), main_number_formatted: z.string() })
  .meta({ id: 'ListedVoicemail' });

/** A voicemail on its own; the last two fields have other names than in the list. */
export const voicemailSchema = z
  .object({ ...commonFields, main_number_number: z.string(), main_number_number_formatted: z.string() })
  .meta({ id: 'Voicemail' });

/** The voicemail in events, beside its call; the specification gives it no address. */
export const voicemailEventSchema = voicemailSchema
  .omit({ listened_at: true, recording_url: true, main_number_id: true, main_number_number_formatted: true })
  .meta({ id: 'EventVoicemail' });

export function listedVoicemailJson(voicemail: Voicemail): z.output<typeof listedVoicemailSchema> {
  return {
    ...commonJson(voicemail),
    main_number: voicemail.mainNumber,
    main_number_formatted: voicemail.mainNumberFormatted,
  };
}

export function voicemailJson(voicemail: Voicemail | undefined): z.output<typeof voicemailSchema> {
  if (!voicemail) throw new Error('a response without its voicemail');
  return {
    ...commonJson(voicemail),
    main_number_number: voicemail.mainNumber,
    main_number_number_formatted: voicemail.mainNumberFormatted,
  };
}

export function voicemailEventJson(voicemail: Voicemail): z.output<typeof voicemailEventSchema> {
  const { id, from, main_number_name, transcription, created_at } = commonJson(voicemail);
  return { id, from, main_number_name, main_number_number: voicemail.mainNumber, transcription, created_at };
}

function commonJson(voicemail: Voicemail) {
  return {
    id: voicemail.id,
    from: voicemail.from,
    listened_at: isoTime(voicemail.listenedAt),
    transcription: voicemail.transcription ?? null,
    created_at: isoTimeOf(voicemail.createdAt),
    recording_url: voicemail.recordingUrl ?? null,
    main_number_id: voicemail.mainNumberId,
    main_number_name: voicemail.mainNumberName,
  };
}
