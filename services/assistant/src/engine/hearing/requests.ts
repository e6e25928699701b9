import type { Target } from '../engine.ts';
import { vocabularyOf } from '../words/vocabularies.ts';
import type { Vocabulary } from '../words/vocabulary.ts';
import { findMisheard, findTargets, type HeardTarget, isLikely } from './find-targets.ts';
import { type HeardWords, originalGroup, plainText, withoutFillers, wordCount } from './heard-words.ts';

/** Whom the caller wants to speak to. */
export type PersonRequest =
  /** A person instead of a machine. */
  | { readonly kind: 'human' }
  /** Somebody, without a name. */
  | { readonly kind: 'anybody' }
  /** Somebody whose name, or matter, is like these; none: a name that is not known. */
  | { readonly kind: 'named'; readonly found: readonly HeardTarget[] };

/** A sentence with nothing but a name in it has so many words. */
const NAME_ALONE_WORDS_MAX = 4;
const NAME_ALONE_SCORE_MIN = 0.82;
/** A name that is known, in a sentence that may be about something else. */
const KNOWN_NAME_SCORE_MIN = 0.8;
/** More words are not a name. */
const NAME_WORDS_MAX = 4;

export function readPersonRequest(
  { plain }: HeardWords,
  language: string,
  targets: readonly Target[],
): PersonRequest | null {
  const vocabulary = vocabularyOf(language);
  const said = withoutFillers(plain, vocabulary.fillers);
  for (const pattern of vocabulary.person) {
    const request = requestOf(pattern.exec(plain)?.[1], vocabulary, targets, false);
    // "I don't want to talk to a machine": no name of anybody.
    const isNobody = request?.kind === 'named' && !request.found.some(isLikely);
    if (request && !(isNobody && vocabulary.human.test(plain))) return request;
  }
  if (vocabulary.human.test(plain)) return { kind: 'human' };
  for (const pattern of vocabulary.perhapsPerson) {
    const request = requestOf(pattern.exec(plain)?.[1], vocabulary, targets, true);
    if (request) return request;
  }
  // "Where is your shop?" asks for nobody.
  if (wordCount(said) > NAME_ALONE_WORDS_MAX || vocabulary.question.test(plain)) return null;
  const found = findTargets(nameIn(said, vocabulary), targets);
  return found[0] && found[0].score >= NAME_ALONE_SCORE_MIN ? { kind: 'named', found } : null;
}

function requestOf(
  whom: string | undefined,
  vocabulary: Vocabulary,
  targets: readonly Target[],
  mustBeKnown: boolean,
): PersonRequest | null {
  if (whom === undefined || vocabulary.pronoun.test(whom)) return null;
  const [who, about] = whomAndMatter(whom, vocabulary);
  if (vocabulary.human.test(who) && findTargets(nameIn(who, vocabulary), targets).length === 0)
    return mustBeKnown ? null : { kind: 'human' };
  if (vocabulary.anybody.test(who)) {
    const responsible = about === '' ? [] : findTargets(nameIn(about, vocabulary), targets);
    if (responsible.length > 0)
      return {
        kind: 'named',
        found: responsible.map((one) => ({ ...one, exact: one.exact && one.target.type === 'transfer_target' })),
      };
    return mustBeKnown ? null : { kind: 'anybody' };
  }
  const name = nameIn(who, vocabulary);
  const found = findTargets(name, targets);
  if (mustBeKnown)
    return found[0] && found[0].score >= KNOWN_NAME_SCORE_MIN && wordCount(name) <= NAME_WORDS_MAX
      ? { kind: 'named', found }
      : null;
  if (name === '') return { kind: 'anybody' };
  return { kind: 'named', found: found.length > 0 ? found : findMisheard(name, targets) };
}

/** "Somebody about my invoice": who, and about what. */
function whomAndMatter(whom: string, { matter, fillers }: Vocabulary): [string, string] {
  const about = matter.exec(whom);
  const who = about ? whom.slice(0, about.index) : whom;
  return [withoutFillers(who, fillers), about?.[1] ?? ''];
}

function nameIn(plain: string, { besideName, fillers }: Vocabulary): string {
  return withoutFillers(plain, fillers)
    .replace(besideName, '')
    .replace(/ (?:please|today|now|right now|tak|nu|bitte|jetzt|heute)$/, '')
    .trim();
}

/** A message that the caller wants to leave, as far as it was said. */
export interface MessageRequest {
  readonly text: string | null;
  readonly found: readonly HeardTarget[];
  /** Whether somebody is named, also one who is not among the targets. */
  readonly isForNamed: boolean;
}

export function readMessageRequest(
  heard: HeardWords,
  language: string,
  targets: readonly Target[],
): MessageRequest | null {
  const vocabulary = vocabularyOf(language);
  for (const pattern of vocabulary.message) {
    const match = pattern.exec(heard.plain);
    if (!match) continue;
    const who = match.groups?.['who'];
    if (who !== undefined && /^(?:me|us|mig|os|mir|uns)\b/.test(who)) continue;
    const found = who === undefined ? [] : findTargets(nameIn(who, vocabulary), targets);
    const text = match.groups?.['what'] === undefined ? null : (originalGroup(heard, pattern, 'what') ?? null);
    return { text, found, isForNamed: who !== undefined && !vocabulary.pronoun.test(who) };
  }
  return null;
}

/** Who is to call back; undefined where the caller asked for nothing of the kind. */
export function readCallbackRequest(
  { plain }: HeardWords,
  language: string,
  targets: readonly Target[],
): { readonly found: readonly HeardTarget[] } | null {
  const vocabulary = vocabularyOf(language);
  for (const pattern of vocabulary.callback) {
    const match = pattern.exec(plain);
    if (!match) continue;
    const who = match.groups?.['who'] ?? '';
    const name = nameIn(who, vocabulary);
    const isName = name !== '' && !vocabulary.anybody.test(who) && !vocabulary.pronoun.test(who);
    return { found: isName ? findTargets(name, targets) : [] };
  }
  return null;
}

/** What the call is about, in the caller's words. */
export function readMatter(heard: HeardWords, language: string): string | null {
  return originalGroup(heard, vocabularyOf(language).matter, 1) ?? null;
}

/** With more words beside it a time is not when to be called. */
const WORDS_BESIDE_TIME_MAX = 3;

/** Another time for a call that is arranged: "tomorrow morning", "can you make that tomorrow at ten". Null for a question about a time. */
export function readOtherTime(heard: HeardWords, language: string): string | null {
  const { question, times } = vocabularyOf(language);
  const when = readWhen(heard, language);
  if (when === null || times.change.test(heard.plain)) return when;
  const beside = wordCount(heard.plain) - wordCount(plainText(when));
  return question.test(heard.plain) || beside > WORDS_BESIDE_TIME_MAX ? null : when;
}

/** The caller's time for a call, in the caller's words. */
export function readWhen({ text }: HeardWords, language: string): string | null {
  const found = [...text.matchAll(vocabularyOf(language).times.when)].filter(({ 0: words }) => words.trim() !== '');
  const first = found[0];
  if (!first) return null;
  let end = first.index + first[0].length;
  // "Tomorrow", "after three": pieces of one time, if hardly anything is between them.
  for (const piece of found.slice(1))
    if (wordCount(plainText(text.slice(end, piece.index))) <= 1) end = piece.index + piece[0].length;
    else break;
  return text.slice(first.index, end).trim();
}
