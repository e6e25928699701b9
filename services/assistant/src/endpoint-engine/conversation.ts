import type { Sentence } from '../engine/engine.ts';
import { plainWords } from './checks/places.ts';

/** What was said in a session, for a model: plain JSON, oldest first. */
export type Conversation = readonly Utterance[];

export interface Utterance {
  readonly by: 'caller' | 'assistant';
  /** Without secrets. */
  readonly text: string;
}

/** A sentence of the assistant, and what a model is told of it: without what it repeats of the caller. */
export interface SaidSentence {
  readonly text: string;
  readonly told: string;
}

export function saidSentences(say: readonly Pick<Sentence, 'text' | 'told'>[]): SaidSentence[] {
  return say.map(({ text, told = text }) => ({ text, told }));
}

export const toldOf = (said: readonly SaidSentence[]): string => said.map(({ told }) => told).join(' ');

/** What of sentences was heard. */
export function heardOf(said: readonly SaidSentence[], spoken: string): SaidSentence[] {
  const heard: SaidSentence[] = [];
  let rest = spoken.trim();
  for (const sentence of said) {
    if (rest === '') break;
    if (!rest.startsWith(sentence.text)) {
      heard.push({ text: rest, told: sentence.told === sentence.text ? rest : CUT });
      break;
    }
    heard.push(sentence);
    rest = rest.slice(sentence.text.length).trimStart();
  }
  return heard;
}

/** Of a sentence with words of the caller that was not heard to its end. */
const CUT = '…';

/** What is kept of a session that goes on for long. */
const UTTERANCES_MAX = 120;
const LENGTH_MAX = 30_000;

/** Adds something; what one of them says in a row is one utterance. */
export function add(conversation: Conversation, by: Utterance['by'], text: string): Conversation {
  if (text.trim() === '') return conversation;
  const last = conversation.at(-1);
  const next =
    last?.by === by
      ? [...conversation.slice(0, -1), { by, text: `${last.text} ${text}` }]
      : [...conversation, { by, text }];
  return latest(next, UTTERANCES_MAX, LENGTH_MAX);
}

/** The caller has interrupted the assistant, and heard only this of what it said last. */
export function interrupted(conversation: Conversation, lastSaid: string, spoken: string): Conversation {
  const last = conversation.at(-1);
  if (last?.by !== 'assistant') return conversation;
  const before = last.text.endsWith(lastSaid) ? last.text.slice(0, last.text.length - lastSaid.length).trimEnd() : '';
  const heard = [before, spoken].filter((text) => text !== '').join(' ');
  const others = conversation.slice(0, -1);
  return heard === '' ? others : [...others, { by: 'assistant', text: heard }];
}

/** How often the assistant has said a sentence. */
export function timesSaid(conversation: Conversation, sentence: string): number {
  const plain = plainWords(sentence);
  if (plain === '') return 0;
  return conversation
    .filter(({ by }) => by === 'assistant')
    .reduce((times, { text }) => times + ` ${plainWords(text)} `.split(` ${plain} `).length - 1, 0);
}

/** The latest utterances, as many as fit. */
function latest(conversation: Conversation, countMax: number, lengthMax: number): Conversation {
  let length = 0;
  let from = conversation.length;
  while (from > 0 && conversation.length - from < countMax) {
    length += conversation[from - 1]!.text.length;
    if (length > lengthMax) break;
    from -= 1;
  }
  return conversation.slice(from);
}
