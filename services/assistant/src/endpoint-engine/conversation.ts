import { plainWords } from './checks/places.ts';

/** What was said in a session, for a model: plain JSON, oldest first. */
export type Conversation = readonly Utterance[];

export interface Utterance {
  readonly by: 'caller' | 'assistant';
  /** Without secrets. */
  readonly text: string;
}

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
