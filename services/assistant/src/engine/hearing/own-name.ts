import { vocabularyOf } from '../words/vocabularies.ts';
import { type HeardWords, hearWords, originalGroup, originalWords } from './heard-words.ts';

const NAME_WORDS_MAX = 4;
const NAME_LENGTH_MAX = 64;

/** The caller's name in a sentence that gives it. `asked`: it was asked for, so that a name alone is one as well. */
export function readOwnName(heard: HeardWords, language: string, asked: boolean): string | null {
  const { ownName } = vocabularyOf(language);
  for (const [index, pattern] of ownName.entries()) {
    const said = originalGroup(heard, pattern, 1);
    const name = said === undefined ? null : nameAtStart(said, language);
    // Only the first pattern says that a name follows: "this is urgent" is none, and recognition writes names large.
    if (name !== null && (index === 0 || asked || /^\p{Lu}/u.test(said ?? ''))) return name;
  }
  if (!asked) return null;
  const { fillers, besideName } = vocabularyOf(language);
  const lead = new RegExp(`^(?:(?:${fillers.source}) )+`).exec(heard.plain)?.[0].length ?? 0;
  const further = besideName.exec(heard.plain.slice(lead))?.[0].length ?? 0;
  return nameAtStart(originalWords(heard, lead + further), language);
}

/** The first words, as far as they can be a name. */
function nameAtStart(said: string, language: string): string | null {
  const { afterName } = vocabularyOf(language);
  const sentence = said.split(/[.!?,;](?:\s|$)/)[0] ?? '';
  const heard = hearWords(sentence);
  const words: string[] = [];
  for (const { word, start, end } of heard.tokens) {
    if (new RegExp(`^(?:${afterName.source})$`).test(word) || /\d/.test(word) || words.length === NAME_WORDS_MAX) break;
    words.push(sentence.slice(start, end));
  }
  const name = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join(' ');
  return name.length < 2 || name.length > NAME_LENGTH_MAX ? null : name;
}
