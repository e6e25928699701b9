import type { Action, SessionFacts } from './engine.ts';
import { answerHours, nowAnswer, weekAnswer, type HoursSentence } from './opening/answer-hours.ts';
import { greetingFor } from './product-turns.ts';
import { fillIn } from './speaking/unrepeated.ts';
import { sentenceKey } from './turn-draft.ts';
import { sentencesOf } from './words/vocabularies.ts';
import type { SentenceKey } from './words/sentences.ts';

const PLACEHOLDER = /\{\w+\}/;
/** About eight seconds. */
const WHISPER_LENGTH_MAX = 140;
const NAME_LENGTH_MAX = 64;

/** Said in most calls. */
const USUAL: readonly SentenceKey[] = [
  'how_can_i_help',
  'anything_else',
  'not_understood',
  'unknown_answer',
  'hand_over',
  'still_there',
  'silence_goodbye',
  'goodbye',
];

/**
 * All sentences of the product in which nothing is filled in, by their keys: those that are needed first come first. Of the variants of a
 * sentence the next one is needed only when the one before was said.
 */
export function fixedSentences(language: string): { key: string; text: string }[] {
  const { parts: _, ...sentences } = sentencesOf(language);
  const all = (Object.entries(sentences) as [SentenceKey, readonly string[]][]).flatMap(([name, variants]) =>
    variants.map((text, index) => ({ name, text, index, key: sentenceKey(name, index, language) })),
  );
  const isUsual = ({ name }: { name: SentenceKey }) => Number(USUAL.includes(name));
  return all
    .filter(({ text }) => !PLACEHOLDER.test(text))
    .toSorted((a, b) => a.index - b.index || isUsual(b) - isUsual(a))
    .map(({ key, text }) => ({ key, text }));
}

/** Further sentences that are likely in sessions, whoever calls: greeting, hours of the next days, address, names of targets. */
export function likelySentences(facts: SessionFacts): string[] {
  const { assistant, company, number, now, targets } = facts;
  const { language } = assistant;
  const first = (key: SentenceKey, values: Readonly<Record<string, string>>) =>
    fillIn(sentencesOf(language)[key][0], values);
  const hours = (sentences: readonly HoursSentence[]) => sentences.map(({ key, values }) => first(key, values));
  return [
    assistant.disclosure,
    greetingFor(assistant.greeting, false),
    greetingFor(assistant.greeting, true),
    ...hours(nowAnswer(number, now, language)),
    ...hours(weekAnswer(number, now, language)),
    ...daysAsked(language).flatMap((asked) => hours(answerHours(asked, number, now, language))),
    ...(company.address === null ? [] : [first('address', { address: company.address })]),
    first('company', { company: company.name }),
    ...targets.filter(({ type }) => type === 'transfer_target').map(({ name }) => first('ringing', { name })),
  ].filter((text, index, all) => text !== '' && all.indexOf(text) === index);
}

/** Questions about each of the next days, in plain words. */
function daysAsked(language: string): string[] {
  const { today, tomorrow, weekdays } = sentencesOf(language).parts;
  return [today, tomorrow, ...weekdays].map((day) =>
    day.normalize('NFKD').replaceAll(/\p{M}/gu, '').replaceAll('ø', 'o').toLowerCase(),
  );
}

/** What the employee who answered a transfer hears: who calls and what about, in one sentence. */
export function whisper({ callerName, matter }: Action, { assistant }: SessionFacts): string {
  const { language } = assistant;
  const name = callerName?.slice(0, NAME_LENGTH_MAX) ?? sentencesOf(language).parts.aCaller;
  if (matter === null) return fillIn(sentencesOf(language).whisper[0], { name });
  const text = fillIn(sentencesOf(language).whisper_matter[0], { name, matter: matter.replaceAll(/[.!?]+$/g, '') });
  return text.length <= WHISPER_LENGTH_MAX
    ? `${text}.`
    : `${text.slice(0, text.lastIndexOf(' ', WHISPER_LENGTH_MAX))}.`;
}
