import { readPersonRequest } from '../hearing/requests.ts';
import type { HeardWords } from '../hearing/heard-words.ts';
import { readYesNo } from '../hearing/yes-no.ts';
import { spokenList } from '../speaking/spoken-figures.ts';
import type { Offer } from '../state.ts';
import type { TurnDraft } from '../turn-draft.ts';
import { sentencesOf, vocabularyOf } from '../words/vocabularies.ts';

/** What this assistant can offer where it knows no answer: a message and a person, or else a call back. */
export function offersOf({ facts }: TurnDraft, without: readonly Offer['kind'][] = []): Offer[] {
  const { actions } = facts.assistant;
  const all: Offer[] = [
    ...(actions.takeMessage ? [{ kind: 'message', target: null } as const] : []),
    ...(actions.transfer && facts.targets.length > 0 ? [{ kind: 'person' } as const] : []),
    ...(actions.requestCallback && !actions.takeMessage ? [{ kind: 'callback' } as const] : []),
  ];
  return all.filter(({ kind }) => !without.includes(kind));
}

/** Says what is offered, and asks for it. Without anything to offer it asks whether there is something else. */
export function offer(draft: TurnDraft, offers: readonly Offer[]): void {
  const [first, ...others] = offers;
  if (!first) return askForMore(draft);
  if (others.length === 0) {
    const target = first.kind === 'message' && first.target !== null ? draft.target(first.target) : undefined;
    if (first.kind === 'message' && target) draft.say('offer_message_for', { name: target.name });
    else if (first.kind === 'message') draft.say('offer_message');
    else if (first.kind === 'callback') draft.say('offer_callback');
    else if (first.kind === 'person') draft.say('offer_person');
    else draft.say('offer_text');
    draft.ask({ kind: 'offers', offers }, 'yes_no');
    return;
  }
  const { parts } = sentencesOf(draft.language);
  const names = offers.flatMap(({ kind }) => (kind === 'text' ? [] : [parts.offers[kind]]));
  draft.say('i_can', { options: spokenList(names, parts.or) });
  draft.say('what_would_you_like');
  draft.ask({ kind: 'offers', offers }, 'choice');
}

export function askForMore(draft: TurnDraft): void {
  draft.say('anything_else');
  draft.ask({ kind: 'anything_else' }, 'yes_no');
}

/** Which of the offers was taken; `none` when all were declined, null when the words are about something else. */
export function readOffer(
  heard: HeardWords,
  offers: readonly Offer[],
  { language, facts }: TurnDraft,
): Offer | 'none' | null {
  const vocabulary = vocabularyOf(language);
  const named = offers.filter(({ kind }) => kind !== 'text' && isNamed(kind, heard));
  if (named.length === 1) return named[0]!;
  if (offers.length > 1 && vocabulary.first.test(heard.plain)) return offers[0]!;
  if (offers.length > 1 && vocabulary.second.test(heard.plain)) return offers[1]!;
  const answer = readYesNo(heard, language);
  if (answer?.answer === 'no' && answer.rest.plain === '') return 'none';
  if (vocabulary.neither.test(heard.plain) || vocabulary.small.done.test(heard.plain)) return 'none';
  const person = offers.find(({ kind }) => kind === 'person');
  const request = readPersonRequest(heard, language, facts.targets);
  if (person && request && request.kind !== 'named') return person;
  return null;
}

/** Words by which callers take what is offered; they are short when they answer. */
const NAMED: Readonly<Record<Exclude<Offer['kind'], 'text'>, RegExp>> = {
  message: /\b(?:message|note|besked|nachricht)\b/,
  callback: /\b(?:call(?:ed)?(?: me)? back|callback|ringe?s? (?:mig )?op|ruckruf|zuruckrufen)\b/,
  person:
    /\b(?:connect|person|colleague|somebody|someone|transfer|put me through|kollega|stille?s? om|verbinden|kollegen)\b/,
};
const ANSWER_WORDS_MAX = 8;

function isNamed(kind: Exclude<Offer['kind'], 'text'>, { plain, tokens }: HeardWords): boolean {
  return tokens.length <= ANSWER_WORDS_MAX && NAMED[kind].test(plain);
}
