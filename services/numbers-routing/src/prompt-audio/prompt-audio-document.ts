import type { DueDocument } from '@parley/store';
import type { Speech } from './speech-client.ts';
import type { Prompt } from './prompt.ts';

/**
 * The audio of one prompt, under the prompt's key. `pending`: to be synthesized. `ready`: can be played. `expired`: nobody
 * needs it; about to be removed, and to be synthesized again if somebody does after all.
 */
export interface PromptAudioDocument extends DueDocument, Prompt {
  status: 'pending' | 'ready' | 'expired';
  /** The company that wanted it first; companies take turns. */
  companyId: string;
  /** Of the text, in UTF-16 units: short texts come before long ones. */
  textLength: number;
  /** How often synthesis has failed. */
  failures: number;
  fileId: string | null;
  /** Where bytes are being written that nobody may read yet. */
  draftFileId: string | null;
  contentType: string | null;
  sizeBytes: number;
  durationMs: number;
  engine: string | null;
  /** Until then it stays, needed or not. */
  keepUntil: Date;
}

/** Audio that can be played. */
export interface ReadyAudio {
  readonly key: string;
  readonly fileId: string;
  readonly contentType: string;
  readonly sizeBytes: number;
  readonly durationMs: number;
}

/** What makes a document's audio playable. */
export function readyFields(fileId: string, { audio, contentType, durationMs, engine }: Speech) {
  return { status: 'ready' as const, fileId, contentType, sizeBytes: audio.length, durationMs, engine };
}

export function readyAudio(document: Omit<PromptAudioDocument, 'text'>): ReadyAudio {
  const { _id: key, fileId, contentType, sizeBytes, durationMs } = document;
  if (fileId === null || contentType === null) throw new Error(`prompt audio ${key} is ready but has no file`);
  return { key, fileId, contentType, sizeBytes, durationMs };
}
