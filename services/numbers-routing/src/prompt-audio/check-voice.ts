import { invalid, Refused } from '@parley/errors';
import type { Prompt } from './prompt.ts';

const LANGUAGE_LENGTH_MAX = 35;
const VOICE_LENGTH_MAX = 64;

/** Refuses what cannot be a language or a voice; whether there is one, the speech service decides. */
export function checkVoice({ language, voice }: Pick<Prompt, 'language' | 'voice'>): void {
  if (language === '' || language.length > LANGUAGE_LENGTH_MAX)
    throw new Refused(invalid({ language: ['is not a language code'] }));
  if (voice.length > VOICE_LENGTH_MAX) throw new Refused(invalid({ voice: ['is too long'] }));
}
