import type { Encryptor } from '@parley/secrets';
import type { Voicemail } from './voicemail.ts';

/** The transcriptions of voicemails, which are encrypted in the database. */
export type VoicemailTexts = ReturnType<typeof voicemailTexts>;

export function voicemailTexts({ encrypt, decrypt }: Pick<Encryptor, 'encrypt' | 'decrypt'>) {
  const contextOf = (id: string) => `voicemail/${id}/transcription`;
  return {
    /** A transcription as it is stored. */
    seal: (id: string, text: string) => encrypt(text, contextOf(id)),
    /** Null while there is none; empty where nothing was said. */
    textOf: ({ id, sealedTranscription }: Pick<Voicemail, 'id' | 'sealedTranscription'>) =>
      sealedTranscription === undefined ? null : decrypt(sealedTranscription, contextOf(id)),
  };
}
