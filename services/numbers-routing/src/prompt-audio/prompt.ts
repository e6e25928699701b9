import { createHash } from 'node:crypto';

/** A text with its voice. */
export interface Prompt {
  readonly text: string;
  readonly language: string;
  /** A voice of the speech engine; empty for the language's own. */
  readonly voice: string;
}

/** One of several that are needed. */
export interface NeededPrompt extends Prompt {
  /** How many others are needed before it; none when absent. */
  readonly place?: number;
}

/** Identifies the audio of a prompt: equal prompts have one key, and a changed one has another, so no audio is ever stale. */
export function promptKey({ text, language, voice }: Prompt): string {
  return createHash('sha256')
    .update(JSON.stringify([text, language, voice]))
    .digest('hex');
}
