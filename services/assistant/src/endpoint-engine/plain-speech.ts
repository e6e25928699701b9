import { plainLine } from '@parley/text';

const PICTURES = /\p{Extended_Pictographic}|\p{Regional_Indicator}|\p{Emoji_Modifier}|\u{fe0f}|\u{20e3}/gu;

/** A sentence of a model as it is spoken: without Markdown, tags, pictures and control characters. */
export function plainSpeech(sentence: string): string {
  const text = sentence
    .replaceAll(/!\[[^\]]*\]\([^)]*\)/g, ' ')
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/<\/?[a-z][^<>]{0,100}>/gi, ' ')
    .replaceAll(/(^|\n)\s*(?:>\s*)*(?:#{1,6}\s+|[-*+•·–—]\s+|\d{1,2}[.)]\s+)?/g, '$1')
    .replaceAll(/[*`~|#]+/g, ' ')
    .replaceAll(/(?<![\p{L}\p{N}])_+|_+(?![\p{L}\p{N}])/gu, '')
    .replaceAll(PICTURES, '');
  return plainLine(text)
    .replaceAll(/\s+(?=[,.!?;:])/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

/** Marks of prompts and of calls written as text; JSON; characters that could not be decoded. */
const MACHINE_TEXT =
  /<\|[^|]*\|>|\[\/?INST\]|<\/?(?:tool_call|function|think|system)\b|[{[]\s*"[^"]*"\s*[:,]|```|\ufffd/i;
const WORD_LENGTH_MAX = 45;
const SAME_WORDS_MAX = 4;

/** Whether a sentence is no sentence of a language that is written in Latin letters. `sentence`: as the model wrote it. */
export function isNonsense(sentence: string): boolean {
  if (MACHINE_TEXT.test(sentence)) return true;
  const plain = plainSpeech(sentence);
  const signs = plain.replaceAll(/\s/g, '');
  const letters = signs.match(/\p{L}/gu)?.length ?? 0;
  const latin = signs.match(/\p{Script=Latin}/gu)?.length ?? 0;
  const known = signs.match(/[\p{L}\p{N}.,:€$£%+@/-]/gu)?.length ?? 0;
  if (known < signs.length * 0.7 || latin < letters * 0.7) return true;
  const words = plain.toLowerCase().split(' ');
  if (words.some((word) => word.length > WORD_LENGTH_MAX && !/[./@]/.test(word))) return true;
  if (words.some((word, place) => word !== '' && isRepeated(words, place))) return true;
  const spoken = words.filter((word) => /^\p{L}{2,}/u.test(word));
  const mute = spoken.filter((word) => !/[aeiouyæøåäöü]/.test(word.normalize('NFC')));
  return spoken.length >= 3 && mute.length > spoken.length / 2;
}

function isRepeated(words: readonly string[], place: number): boolean {
  return (
    words.slice(place, place + SAME_WORDS_MAX).every((word) => word === words[place]) &&
    place + SAME_WORDS_MAX <= words.length
  );
}
