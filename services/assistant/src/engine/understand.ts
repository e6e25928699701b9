import type { KnowledgeEntryFacts, Meaning } from './engine.ts';
import { type HeardWords, withoutFillers, wordCount } from './hearing/heard-words.ts';
import {
  readCallbackRequest,
  readMatter,
  readMessageRequest,
  readOtherTime,
  readPersonRequest,
  readWhen,
} from './hearing/requests.ts';
import { readSpokenNumber } from './hearing/spoken-phone-number.ts';
import { contentWords } from './knowledge/content-words.ts';
import { type RankedSubject, rankSubjects } from './knowledge/rank-subjects.ts';
import { usableEntries } from './knowledge/usable-entries.ts';
import { namesTime } from './opening/answer-hours.ts';
import type { CallbackTask, Choice } from './state.ts';
import {
  answerAddress,
  answerCompany,
  answerEntry,
  answerHoursQuestion,
  askWhichAnswer,
  sayUnknown,
} from './tasks/answers.ts';
import { beginCallback, confirmTime } from './tasks/callback-task.ts';
import { handOver } from './tasks/hand-over.ts';
import { beginMessage } from './tasks/message-task.ts';
import { askForText } from './tasks/send-text.ts';
import { askWhom, meetTarget } from './tasks/transfer.ts';
import type { TurnDraft } from './turn-draft.ts';
import { vocabularyOf } from './words/vocabularies.ts';

/** From here on a subject is what was asked for; below it is asked about, down to the second. Words alone are less sure. */
const CERTAIN = { meaning: 0.55, words: 0.5 };
const LIKELY = { meaning: 0.38, words: 0.34 };
/** A second one that is nearly as likely is asked about as well. */
const MARGIN = 0.07;
/** Questions about opening hours and the address are recognised by rules: what is only like them is about something else. */
const TOPIC_LIKELY = 0.5;
/** An entry must be so likely to be preferred to what a rule recognised. */
const BETTER_THAN_RULE = 0.75;
const TEXT_FITS_MIN = 0.4;
const MATTER_LENGTH_MAX = 120;
const QUESTION_WORDS_MIN = 2;
const FOLLOW_UP_WORDS_MAX = 7;

/** Understands what was said without an open question, or beside it: rules first, then entries by meaning and words. */
export function understand(draft: TurnDraft, heard: HeardWords, { vector }: Meaning): void {
  const { arranged } = draft.state;
  draft.ask(null, 'anything');
  draft.change({ task: null, arranged: null });
  if (arranged && changeCallback(draft, arranged, heard)) return;
  noteMatter(draft, heard);
  if (hearRequest(draft, heard)) return;
  if (continueAnswer(draft, heard)) return;
  const vocabulary = vocabularyOf(draft.language);
  const ranked = rank(draft, heard, vector);
  const [best] = ranked;
  const entry = best?.subject.kind === 'entry' && best.score >= BETTER_THAN_RULE ? best.subject.entry : undefined;
  const isTopicBest = (topic: string) => best?.subject.kind === 'topic' && best.subject.topic === topic;
  if (vocabulary.hours.question.some((pattern) => pattern.test(heard.plain)) && (!entry || isTopicBest('hours')))
    return answerHoursQuestion(draft, heard.plain);
  if (vocabulary.small.address.test(heard.plain) && (!entry || isTopicBest('address')))
    return answerAddress(draft, heard.text);
  if (vocabulary.small.company.test(heard.plain) && !(best && best.score >= certain(vector)))
    return answerCompany(draft);
  answerRanked(draft, heard, ranked, vector);
}

/** Another time for the callback that was just arranged: true when that is what was said. */
function changeCallback(draft: TurnDraft, arranged: CallbackTask, heard: HeardWords): boolean {
  const when = readOtherTime(heard, draft.language);
  if (when === null) return false;
  confirmTime(draft, { ...arranged, when });
  return true;
}

/** Something that the caller wants done: true when it was recognised, and is answered. */
function hearRequest(draft: TurnDraft, heard: HeardWords): boolean {
  const { facts, language } = draft;
  const { targets } = facts;
  const callback = readCallbackRequest(heard, language, targets);
  const message = readMessageRequest(heard, language, targets);
  if (callback) {
    const number = readSpokenNumber(heard, language, facts.company.callingRules.country);
    beginCallback(draft, {
      when: readWhen(heard, language),
      number: number.kind === 'number' ? number.number.number : null,
      target: callback.found.length === 1 ? callback.found[0]!.target.id : null,
    });
    return true;
  }
  if (hearTextRequest(draft, heard)) return true;
  if (message) {
    if (message.found.length > 0)
      meetTarget(draft, message.found, { purpose: 'message', asked: heard.text, text: message.text });
    else beginMessage(draft, { text: message.text });
    return true;
  }
  const person = readPersonRequest(heard, language, targets);
  if (!person) return false;
  if (person.kind === 'human') handOver(draft, 'requested');
  else if (person.kind === 'anybody') askWhom(draft, 'transfer');
  else meetTarget(draft, person.found, { purpose: 'transfer', asked: heard.text });
  return true;
}

/** "And tomorrow?" after an answer about opening hours, "and for cats?" after an entry about cats: true when it is answered. */
function continueAnswer(draft: TurnDraft, heard: HeardWords): boolean {
  const { facts, language } = draft;
  if (!vocabularyOf(language).followUp.test(heard.plain) || wordCount(heard.plain) > FOLLOW_UP_WORDS_MAX) return false;
  const { last } = draft.state;
  const isAboutHours = last.some(({ sources }) => sources.some(({ type }) => type === 'business_hours'));
  if (isAboutHours) {
    if (!namesTime(heard.plain, facts.number, facts.now, language)) return false;
    answerHoursQuestion(draft, heard.plain);
    return true;
  }
  const entry = lastAnswered(draft, facts.knowledge.entries.filter(usableEntries(facts)));
  if (!entry || !isAbout(entry, heard.text, language)) return false;
  answerEntry(draft, entry);
  return true;
}

/** Whether all words that tell what is asked are in the entry. */
function isAbout({ title, answer, questions }: KnowledgeEntryFacts, asked: string, language: string): boolean {
  const known = new Set(contentWords([title, answer, ...questions].join(' '), language));
  const words = contentWords(asked, language);
  return words.length > 0 && words.every((word) => known.has(word));
}

/** "Text me the link": of the entries with a text the one that fits, or else those that there are. */
function hearTextRequest(draft: TurnDraft, heard: HeardWords): boolean {
  const { facts, language } = draft;
  if (!vocabularyOf(language).sendText.test(heard.plain)) return false;
  const isUsable = usableEntries(facts);
  const withText = facts.knowledge.entries.filter((entry) => entry.text !== null && isUsable(entry));
  if (withText.length === 0) return false;
  const fitting = rankSubjects(
    facts.knowledge,
    heard.text,
    null,
    (subject) => subject.kind === 'entry' && withText.includes(subject.entry),
  )
    .filter(({ score }) => score >= TEXT_FITS_MIN / 2)
    .flatMap(({ subject }) => (subject.kind === 'entry' ? [subject.entry] : []));
  const last = lastAnswered(draft, withText);
  askForText(draft, fitting[0] ? fitting.slice(0, 1) : last ? [last] : withText);
  return true;
}

/** The entry of which the last answer was taken. */
function lastAnswered({ state }: TurnDraft, entries: readonly KnowledgeEntryFacts[]): KnowledgeEntryFacts | undefined {
  const ids = state.last.flatMap(({ sources }) => sources.map(({ id }) => id));
  return entries.find(({ id }) => ids.includes(id));
}

function rank({ facts }: TurnDraft, heard: HeardWords, vector: Float32Array | null): RankedSubject[] {
  const isUsable = usableEntries(facts);
  const { actions } = facts.assistant;
  return rankSubjects(facts.knowledge, heard.text, vector, (subject) => {
    if (subject.kind === 'entry') return isUsable(subject.entry);
    if (subject.topic === 'message') return actions.takeMessage;
    return subject.topic !== 'callback' || actions.requestCallback;
  });
}

function certain(vector: Float32Array | null): number {
  return vector ? CERTAIN.meaning : CERTAIN.words;
}

function answerRanked(
  draft: TurnDraft,
  heard: HeardWords,
  ranked: readonly RankedSubject[],
  vector: Float32Array | null,
): void {
  const [first, second] = ranked.filter(({ subject, score }) => subject.kind === 'entry' || score >= TOPIC_LIKELY);
  if (!first || first.score < (vector ? LIKELY.meaning : LIKELY.words)) return sayNotKnown(draft, heard);
  const isClose =
    second !== undefined &&
    first.score - second.score < MARGIN &&
    second.score >= (vector ? LIKELY.meaning : LIKELY.words);
  if (first.score >= certain(vector) && !isClose) return take(draft, first, heard);
  const choices = [first, ...(isClose ? [second] : [])].flatMap(choiceOf);
  if (choices.length === 0) return sayNotKnown(draft, heard);
  if (choices.length === 1 && isClose && first.score >= certain(vector)) return take(draft, first, heard);
  askWhichAnswer(draft, choices, heard.text);
}

function choiceOf({ subject }: RankedSubject): Choice[] {
  if (subject.kind === 'entry') return [{ kind: 'entry', id: subject.entry.id }];
  return subject.topic === 'hours' || subject.topic === 'address' ? [{ kind: 'topic', topic: subject.topic }] : [];
}

function take(draft: TurnDraft, { subject }: RankedSubject, heard: HeardWords): void {
  if (subject.kind === 'entry') return answerEntry(draft, subject.entry);
  switch (subject.topic) {
    case 'hours':
      return answerHoursQuestion(draft, heard.plain);
    case 'address':
      return answerAddress(draft, heard.text);
    case 'human':
      return askWhom(draft, 'transfer');
    case 'message':
      return beginMessage(draft, {});
    case 'callback':
      return beginCallback(draft, { when: readWhen(heard, draft.language) });
  }
}

/** A question that nothing fits, or words that are hardly one. */
function sayNotKnown(draft: TurnDraft, heard: HeardWords): void {
  const { question, fillers } = vocabularyOf(draft.language);
  const words = wordCount(withoutFillers(heard.plain, fillers));
  const isQuestion =
    words >= QUESTION_WORDS_MIN &&
    (question.test(heard.plain) || heard.text.includes('?') || words > QUESTION_WORDS_MIN);
  if (isQuestion) return sayUnknown(draft, heard.text);
  draft.understood = false;
  draft.say('not_understood');
  draft.say('how_can_i_help');
}

/** What the call is about, for whoever answers it. */
function noteMatter(draft: TurnDraft, heard: HeardWords): void {
  const matter = readMatter(heard, draft.language);
  if (matter !== null && wordCount(matter) >= 2) draft.change({ matter: matter.slice(0, MATTER_LENGTH_MAX) });
}
