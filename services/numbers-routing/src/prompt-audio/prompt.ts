import { createHash } from 'node:crypto';

/** Something to be spoken. */
export interface Prompt {
  readonly text: string;
  readonly language: string;
  /** A voice of the speech engine; empty for the language's own. */
  readonly voice: string;
}

/** Names the sound of a prompt: equal prompts have one name, and a changed one has another, so no audio is ever stale. */
export function promptKey({ text, language, voice }: Prompt): string {
  return createHash('sha256')
    .update(JSON.stringify([text, language, voice]))
    .digest('hex');
}
