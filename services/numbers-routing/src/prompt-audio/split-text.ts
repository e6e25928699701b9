/** About forty seconds of speech: far below what one message may carry, long enough to sound natural. */
export const PART_LENGTH_MAX = 600;

/** Splits a long text between sentences, between words where a sentence is too long, or within a word that is too long. */
export function splitText(text: string, language: string, lengthMax = PART_LENGTH_MAX): readonly string[] {
  if (text.length <= lengthMax) return [text];
  const parts: string[] = [];
  let part = '';
  for (const piece of pieces(text, language, lengthMax)) {
    if (part.length + piece.length > lengthMax && part.trim() !== '') {
      parts.push(part.trim());
      part = '';
    }
    part += piece;
  }
  if (part.trim() !== '') parts.push(part.trim());
  return parts;
}

function* pieces(text: string, language: string, lengthMax: number): Iterable<string> {
  for (const { segment: sentence } of new Intl.Segmenter(language, { granularity: 'sentence' }).segment(text)) {
    if (sentence.length <= lengthMax) yield sentence;
    else
      for (const { segment: word } of new Intl.Segmenter(language, { granularity: 'word' }).segment(sentence))
        yield* word.length <= lengthMax ? [word] : graphemeRuns(word, language, lengthMax);
  }
}

function* graphemeRuns(word: string, language: string, lengthMax: number): Iterable<string> {
  let run = '';
  for (const { segment } of new Intl.Segmenter(language, { granularity: 'grapheme' }).segment(word)) {
    if (run.length + segment.length > lengthMax) {
      yield run;
      run = '';
    }
    run += segment;
  }
  yield run;
}
