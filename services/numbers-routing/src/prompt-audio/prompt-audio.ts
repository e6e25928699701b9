import type { Due, Lease } from '@parley/aggregates';
import type { Speech } from './speech-client.ts';
import type { Prompt } from './prompt.ts';

/**
 * The audio of one prompt, under the prompt's key. `pending`: to be synthesized. `ready`: can be played. `expired`: not
 * used; about to be removed, and synthesized again if it is needed.
 */
export interface PromptAudio extends Prompt {
  /** The prompt's key. */
  readonly id: string;
  readonly due: Due | null;
  /** The lease of the process that synthesizes, checks or removes it; an expired one is free. */
  readonly claim: Lease | null;
  readonly status: 'pending' | 'ready' | 'expired';
  /** The company that requested it first; companies are served in turn. */
  readonly companyId: string;
  /** How many others its owner needs before it: it is synthesized after those of the company that are needed earlier. */
  readonly place: number;
  /** The length in UTF-16 units: of texts in the same place, short ones are synthesized before long ones. */
  readonly textLength: number;
  /** Failed attempts to synthesize. */
  readonly failures: number;
  readonly fileId: string | null;
  /** The file that is being written and must not be read yet. */
  readonly draftFileId: string | null;
  readonly contentType: string | null;
  readonly sizeBytes: number;
  readonly durationMs: number;
  readonly engine: string | null;
  /** Until then it stays, needed or not. */
  readonly keepUntil: Date;
}

/** Audio that can be played. */
export interface ReadyAudio {
  readonly key: string;
  readonly fileId: string;
  readonly contentType: string;
  readonly sizeBytes: number;
  readonly durationMs: number;
}

/** The fields of audio that can be played. */
export function readyFields(fileId: string, { audio, contentType, durationMs, engine }: Speech) {
  return { status: 'ready' as const, fileId, contentType, sizeBytes: audio.length, durationMs, engine };
}

export function readyAudio(audio: Omit<PromptAudio, 'text'>): ReadyAudio {
  const { id: key, fileId, contentType, sizeBytes, durationMs } = audio;
  if (fileId === null || contentType === null) throw new Error(`prompt audio ${key} is ready but has no file`);
  return { key, fileId, contentType, sizeBytes, durationMs };
}
