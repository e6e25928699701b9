import { segments } from '../text/segments.ts';

/** About fifteen seconds of speech, for what has no pause to divide it at. */
const PIECE_LENGTH_MAX = 240;

/** About eight seconds, or one of computing on a small machine: a caller waits for the job in progress. Longer sentences have pauses inside. */
const CLAUSES_LENGTH_MAX = 120;

/** About four seconds: whoever waits for speech hears the first of it after half a second. */
const FIRST_LENGTH_MAX = 60;

/** Splits a text after sentences, in long ones after commas, in very long ones between words. */
export function splitForSpeech(text: string, language: string, lengthMax = PIECE_LENGTH_MAX): readonly string[] {
  return splitSentences(sentencesOf(text, language), Math.min(CLAUSES_LENGTH_MAX, lengthMax), lengthMax);
}

/** The same for speech that is played while it is made: the first sentence is also split after commas when it is not short. */
export function splitForPlaying(text: string, language: string): readonly string[] {
  const [first = '', ...rest] = sentencesOf(text, language);
  return [
    ...splitSentences([first], FIRST_LENGTH_MAX, PIECE_LENGTH_MAX),
    ...splitSentences(rest, CLAUSES_LENGTH_MAX, PIECE_LENGTH_MAX),
  ];
}

function sentencesOf(text: string, language: string): string[] {
  return text.split(/\n+/).flatMap((line) => segments(line, language, 'sentence'));
}

function splitSentences(sentences: readonly string[], clausesMax: number, lengthMax: number): string[] {
  return sentences
    .flatMap((sentence) => pack(sentence.split(/(?<=[,;:–—])\s+/), clausesMax))
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
