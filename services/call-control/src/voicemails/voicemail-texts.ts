import type { Encryptor } from '@parley/secrets';
import type { Voicemail } from './voicemail.ts';

/** The transcriptions of voicemails, which are encrypted in the database. */
export interface VoicemailTexts {
  /** A transcription as it is stored. */
  seal(voicemailId: string, text: string): string;
  /** Null while there is none; empty where nothing was said. */
  textOf(voicemail: Pick<Voicemail, 'id' | 'sealedTranscription'>): string | null;
}

export function voicemailTexts({ encrypt, decrypt }: Pick<Encryptor, 'encrypt' | 'decrypt'>): VoicemailTexts {
  const contextOf = (id: string) => `voicemail/${id}/transcription`;
  return {
    seal: (id, text) => encrypt(text, contextOf(id)),
    textOf: ({ id, sealedTranscription }) =>
      sealedTranscription === undefined ? null : decrypt(sealedTranscription, contextOf(id)),
  };
}
