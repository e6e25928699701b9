import { languageOf } from '../words/vocabularies.ts';
import { contentWords } from './content-words.ts';
import type { KnowledgeEntryFacts } from './knowledge-entry.ts';
import { type Topic, TOPIC_PHRASES } from './topics.ts';

/** What a phrase asks for. */
export type Subject =
  | { readonly kind: 'entry'; readonly entry: KnowledgeEntryFacts }
  | { readonly kind: 'topic'; readonly topic: Topic };

interface Phrase {
  /** Its place among the subjects. */
  readonly subject: number;
  /** Ids of its words, and their weights together. */
  readonly words: readonly number[];
  readonly wordsWeight: number;
  /** An answer is less like a question than another question is. */
  readonly weight: number;
  /** Where its vector begins; undefined without one. */
  readonly vectorAt: number | undefined;
}

/** Entries as they are searched: made by `indexKnowledge` when an entry is changed, not in each turn. */
export interface KnowledgeIndex {
  /** All active entries of the company; those for other numbers, and out of date, are left out by the engine. */
  readonly entries: readonly KnowledgeEntryFacts[];
  readonly language: string;
  readonly subjects: readonly Subject[];
  readonly phrases: readonly Phrase[];
  /** Of each subject, ids of all words that are in its phrases. */
  readonly words: readonly ReadonlySet<number>[];
  readonly wordIds: ReadonlyMap<string, number>;
  /** By id, how much a word tells: more, the fewer subjects it is in. */
  readonly wordWeights: readonly number[];
  /** One after the other. */
  readonly vectors: Float32Array;
  readonly dimensions: number;
}

const ANSWER_WEIGHT = 0.85;

/** The texts whose vectors `indexKnowledge` compares meanings with. */
export function textsToEmbed(entries: readonly KnowledgeEntryFacts[], language: string): readonly string[] {
  const texts = [...entries.flatMap(phrasesOf), ...topicPhrases(language)].map(({ text }) => text);
  return [...new Set(texts)];
}

/** `vectorOf`: of the texts of `textsToEmbed`, all of one length; undefined for those that have none (yet). */
export function indexKnowledge(
  entries: readonly KnowledgeEntryFacts[],
  language: string,
  vectorOf: (text: string) => Float32Array | undefined,
): KnowledgeIndex {
  const topics = Object.keys(TOPIC_PHRASES[languageOf(language)]) as Topic[];
  const subjects: Subject[] = [
    ...entries.map((entry): Subject => ({ kind: 'entry', entry })),
    ...topics.map((topic): Subject => ({ kind: 'topic', topic })),
  ];
  const texts = [
    ...entries.flatMap((entry, subject) => phrasesOf(entry).map((phrase) => ({ ...phrase, subject }))),
    ...topics.flatMap((topic, index) =>
      TOPIC_PHRASES[languageOf(language)][topic].map((text) => ({ text, weight: 1, subject: entries.length + index })),
    ),
  ];
  const vectors = texts.map(({ text }) => vectorOf(text));
  const dimensions = vectors.find((vector) => vector !== undefined)?.length ?? 0;
  const packed = new Float32Array(vectors.filter((vector) => vector?.length === dimensions).length * dimensions);
  let next = 0;
  const wordIds = new Map<string, number>();
  const idOf = (word: string) => {
    const id = wordIds.get(word) ?? wordIds.size;
    wordIds.set(word, id);
    return id;
  };
  const wordsOf = texts.map(({ text }) => contentWords(text, language).map(idOf));
  const words = subjects.map(() => new Set<number>());
  for (const [index, { subject }] of texts.entries()) for (const id of wordsOf[index]!) words[subject]!.add(id);
  const wordWeights = weightsOf(words, wordIds.size);
  const phrases = texts.map(({ weight, subject }, index): Phrase => {
    const vector = vectors[index];
    let vectorAt: number | undefined;
    if (vector && vector.length === dimensions) {
      packed.set(vector, next);
      vectorAt = next;
      next += dimensions;
    }
    const ids = wordsOf[index]!;
    const wordsWeight = ids.reduce((sum, id) => sum + wordWeights[id]!, 0);
    return { subject, weight, vectorAt, words: ids, wordsWeight };
  });
  return { entries, language, subjects, phrases, words, wordIds, wordWeights, vectors: packed, dimensions };
}

function phrasesOf({ title, answer, questions }: KnowledgeEntryFacts): { text: string; weight: number }[] {
  return [...[title, ...questions].map((text) => ({ text, weight: 1 })), { text: answer, weight: ANSWER_WEIGHT }];
}

function topicPhrases(language: string): { text: string }[] {
  return Object.values(TOPIC_PHRASES[languageOf(language)]).flatMap((phrases) => phrases.map((text) => ({ text })));
}

/** The inverse document frequency of each word. */
function weightsOf(subjects: readonly ReadonlySet<number>[], count: number): number[] {
  const counts = Array.from({ length: count }, () => 0);
  for (const words of subjects) for (const id of words) counts[id]! += 1;
  return counts.map((subjectsWithIt) => Math.log(1 + subjects.length / subjectsWithIt));
}
