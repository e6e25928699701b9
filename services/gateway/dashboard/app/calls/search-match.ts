import type { Call } from '../api/schema.d.ts';

/** A passage of a call that a search has found. */
export interface Match {
  readonly where: 'said' | 'summary';
  /** The speaker, where known. */
  readonly speaker?: string;
  readonly before: string;
  readonly hit: string;
  readonly after: string;
}

const BEFORE_MAX = 24;
const AFTER_MAX = 80;
const WORD_MIN = 3;

/** The first place with one of the words; undefined for a call that was found by its meaning. */
export function matchOf(
  call: Pick<Call, 'summary' | 'transcription_segments' | 'transcription'>,
  search: string,
): Match | undefined {
  const words = search.split(/\s+/).filter((word) => word.length >= WORD_MIN);
  for (const word of [search.trim(), ...words]) {
    if (word === '') continue;
    for (const { speaker, text } of call.transcription_segments ?? []) {
      const parts = excerpt(text, word);
      if (parts) return { where: 'said', speaker, ...parts };
    }
    const said = excerpt(call.transcription ?? '', word);
    if (said) return { where: 'said', ...said };
    const summary = excerpt(call.summary ?? '', word);
    if (summary) return { where: 'summary', ...summary };
  }
  return undefined;
}

function excerpt(text: string, word: string): Pick<Match, 'before' | 'hit' | 'after'> | undefined {
  const at = text.toLowerCase().indexOf(word.toLowerCase());
  if (at === -1) return undefined;
  const from = Math.max(0, at - BEFORE_MAX);
  const end = at + word.length;
  return {
    before: `${from > 0 ? '…' : ''}${text.slice(from, at)}`,
    hit: text.slice(at, end),
    after: text.slice(end, end + AFTER_MAX),
  };
}
