import { segments } from '../text/segments.ts';

/** About fifteen seconds of speech: an engine's job stays short, so that other jobs do not wait long. */
const PIECE_LENGTH_MAX = 240;

/** Splits a text after sentences, in long ones after commas, in very long ones between words. */
export function splitForSpeech(text: string, language: string, lengthMax = PIECE_LENGTH_MAX): readonly string[] {
  const sentences = text.split(/\n+/).flatMap((line) => segments(line, language, 'sentence'));
  return sentences
    .flatMap((sentence) => pack(sentence.split(/(?<=[,;:–—])\s+/), lengthMax))
    .flatMap((clause) => (clause.length <= lengthMax ? [clause] : pack(clause.split(/\s+/), lengthMax)))
    .flatMap((words) => words.match(new RegExp(`.{1,${lengthMax}}`, 'gsu')) ?? [])
    .filter((piece) => /[\p{L}\p{N}]/u.test(piece));
}

/** Joins adjacent parts as long as they fit. */
function pack(pieces: readonly string[], lengthMax: number): string[] {
  const packed: string[] = [];
  for (const piece of pieces) {
    const last = packed.at(-1);
    if (last !== undefined && last.length + 1 + piece.length <= lengthMax)
      packed[packed.length - 1] = `${last} ${piece}`;
    else packed.push(piece);
  }
  return packed;
}
