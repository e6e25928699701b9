import { answerConfirmation } from './confirmation.ts';
import { findTargets } from './hearing/find-targets.ts';
import { type HeardWords, plainText } from './hearing/heard-words.ts';
import { readMessageRequest, readPersonRequest } from './hearing/requests.ts';
import { readYesNo, type YesNo } from './hearing/yes-no.ts';
import { contentWords } from './knowledge/content-words.ts';
import type { Choice, Offer, PersonPurpose, Question } from './state.ts';
import { answerAddress, answerEntry, answerHoursQuestion, askWhichAnswer, sayUnknown } from './tasks/answers.ts';
import { beginCallback, hearCallbackNumber } from './tasks/callback-task.ts';
import { sayGoodbye, handOver } from './tasks/hand-over.ts';
import { beginMessage, hearMessageSlot } from './tasks/message-task.ts';
import { askForMore, readOffer } from './tasks/offers.ts';
import { answerText, confirmText } from './tasks/send-text.ts';
import { actOnTarget, askWhom, meetTarget } from './tasks/transfer.ts';
import type { TurnDraft } from './turn-draft.ts';
import { vocabularyOf } from './words/vocabularies.ts';

/**
 * What is left to understand after the open question: nothing, or words. "No, I want to speak to Anna" is a no, and a wish.
 */
type Left = HeardWords | null;

/** So many words after a no are a wish of their own. */
const WISH_WORDS_MIN = 3;

/** Takes words as the answer to the question that is open; what is not an answer is returned. */
export function answerQuestion(draft: TurnDraft, heard: HeardWords): Left {
  const { question, task } = draft.state;
  const answer = readYesNo(heard, draft.language);
  if (!question) return answerUnasked(draft, heard, answer);
  switch (question.kind) {
    case 'confirm_task':
    case 'own_number':
    case 'confirm_text':
      return answerConfirmation(draft, question, heard, answer);
    case 'slot':
      if (task?.kind === 'message') hearMessageSlot(draft, task, question.slot, heard);
      else if (task?.kind === 'callback') hearCallbackNumber(draft, task, heard);
      else return heard;
      return null;
    case 'choice':
      return answerChoice(draft, question, heard, answer);
    case 'which_text': {
      const chosen = chosenOf(
        draft,
        question.entryIds.map((id): Choice => ({ kind: 'entry', id })),
        heard,
      );
      const entry = chosen?.kind === 'entry' ? draft.entry(chosen.id) : undefined;
      if (entry) confirmText(draft, entry);
      else if (answer?.answer === 'no') askForMore(draft);
      return entry || answer?.answer === 'no' ? null : heard;
    }
    case 'whom':
      return answerWhom(draft, question.purpose, heard, answer);
    case 'offers':
      return answerOffers(draft, question.offers, heard, answer);
    case 'anything_else':
      return answerAnythingElse(draft, heard, answer);
  }
}

/** A yes or no to nothing: what else can be done is asked. */
function answerUnasked(draft: TurnDraft, heard: HeardWords, answer: YesNo | null): Left {
  if (!answer || answer.rest.plain !== '') return heard;
  if (answer.answer === 'no') askForMore(draft);
  else askForWish(draft);
  return null;
}

function askForWish(draft: TurnDraft): void {
  draft.say('how_can_i_help');
  draft.ask({ kind: 'anything_else' }, 'anything');
}

function answerChoice(
  draft: TurnDraft,
  question: Extract<Question, { kind: 'choice' }>,
  heard: HeardWords,
  answer: YesNo | null,
): Left {
  const { choices, purpose, asked } = question;
  const vocabulary = vocabularyOf(draft.language);
  if (choices.length > 1 && vocabulary.both.test(heard.plain) && purpose === 'answer') {
    for (const choice of choices) take(draft, choice, purpose, asked);
    return null;
  }
  const chosen = choices.length === 1 && answer?.answer === 'yes' ? choices[0] : chosenOf(draft, choices, heard);
  if (chosen && !(choices.length === 1 && answer?.answer === 'no')) {
    if (choices.length === 1 && chosen.kind === 'target' && !draft.state.lastHeard) meetAgain(draft, choices, question);
    else take(draft, chosen, purpose, asked);
    return null;
  }
  if (answer?.answer === 'yes' && answer.rest.plain === '') {
    meetAgain(draft, choices, question);
    return null;
  }
  const isDeclined = answer?.answer === 'no' || vocabulary.neither.test(heard.plain);
  if (!isDeclined) return heard;
  if (answer && answer.rest.tokens.length >= WISH_WORDS_MIN) return answer.rest;
  if (purpose === 'answer') sayUnknown(draft, asked);
  else askWhom(draft, purpose);
  return null;
}

function meetAgain(
  draft: TurnDraft,
  choices: readonly Choice[],
  { purpose, asked }: Extract<Question, { kind: 'choice' }>,
): void {
  askWhichAnswer(draft, choices, asked);
  draft.ask({ kind: 'choice', choices, purpose, asked }, choices.length === 1 ? 'yes_no' : 'choice');
}

function take(
  draft: TurnDraft,
  choice: Choice,
  purpose: Extract<Question, { kind: 'choice' }>['purpose'],
  asked: string,
): void {
  if (choice.kind === 'target') {
    const target = draft.target(choice.id);
    return target
      ? actOnTarget(draft, target, purpose)
      : askWhom(draft, purpose === 'message' ? 'message' : 'transfer');
  }
  if (choice.kind === 'topic')
    return choice.topic === 'hours' ? answerHoursQuestion(draft, plainText(asked)) : answerAddress(draft, asked);
  const entry = draft.entry(choice.id);
  return entry ? answerEntry(draft, entry) : sayUnknown(draft, asked);
}

/** Which of these is meant: by its place, its name, or words that only it has. */
function chosenOf(draft: TurnDraft, choices: readonly Choice[], heard: HeardWords): Choice | undefined {
  const { language, facts } = draft;
  const vocabulary = vocabularyOf(language);
  if (choices.length > 1 && vocabulary.first.test(heard.plain) && !vocabulary.second.test(heard.plain))
    return choices[0];
  if (choices.length > 1 && vocabulary.second.test(heard.plain)) return choices.at(-1);
  const targets = choices.flatMap((choice) => (choice.kind === 'target' ? (draft.target(choice.id) ?? []) : []));
  if (targets.length > 0) {
    const found = findTargets(heard.plain, targets);
    const all = found.length === 1 ? findTargets(heard.plain, facts.targets) : [];
    const isBest = found[0] && (all[0]?.score ?? 0) <= found[0].score;
    return isBest ? choices.find((choice) => choice.kind === 'target' && choice.id === found[0]!.target.id) : undefined;
  }
  const said = contentWords(heard.text, language);
  const counts = choices.map((choice) => said.filter((word) => wordsOfChoice(draft, choice).includes(word)).length);
  const most = Math.max(...counts);
  const best = choices.filter((_, index) => counts[index] === most);
  return most > 0 && best.length === 1 ? best[0] : undefined;
}

function wordsOfChoice({ language, facts, entry }: TurnDraft, choice: Choice): string[] {
  if (choice.kind === 'entry') {
    const found = entry(choice.id);
    return found ? contentWords([found.title, ...found.questions].join(' '), language) : [];
  }
  if (choice.kind === 'target')
    return contentWords(facts.targets.find(({ id }) => id === choice.id)?.name ?? '', language);
  return contentWords(TOPIC_WORDS[choice.topic], language);
}

const TOPIC_WORDS = {
  hours: 'opening hours times open abningstider offnungszeiten',
  address: 'address location adresse anschrift',
} as const;

function answerWhom(draft: TurnDraft, purpose: PersonPurpose, heard: HeardWords, answer: YesNo | null): Left {
  const { language, facts } = draft;
  const vocabulary = vocabularyOf(language);
  if (answer?.answer === 'no' || vocabulary.cancel.test(heard.plain)) {
    if (answer && answer.rest.tokens.length >= WISH_WORDS_MIN) return answer.rest;
    askForMore(draft);
    return null;
  }
  const request = readPersonRequest(heard, language, facts.targets);
  if (!request) return heard;
  if (request.kind === 'named') meetTarget(draft, request.found, { purpose, asked: heard.text });
  else handOver(draft, 'requested');
  return null;
}

function answerOffers(draft: TurnDraft, offers: readonly Offer[], heard: HeardWords, answer: YesNo | null): Left {
  const [first, ...others] = offers;
  if (takesMessageFor(draft, offers, heard)) return null;
  const chosen = readOffer(heard, offers, draft);
  if (chosen === 'none') {
    askForMore(draft);
    return null;
  }
  if (chosen) {
    acceptOffer(draft, chosen, heard);
    return null;
  }
  if (answer?.answer === 'yes') {
    if (first && others.length === 0) {
      acceptOffer(draft, first, answer.rest);
      return null;
    }
    if (answer.rest.tokens.length < WISH_WORDS_MIN) {
      draft.say('what_would_you_like');
      return null;
    }
    return answer.rest;
  }
  return answer?.answer === 'no' && answer.rest.tokens.length >= WISH_WORDS_MIN
    ? answer.rest
    : answer
      ? (askForMore(draft), null)
      : heard;
}

/** "Then tell him that the invoice is wrong": the message is for whom it was offered. */
function takesMessageFor(draft: TurnDraft, offers: readonly Offer[], heard: HeardWords): boolean {
  const offered = offers.find((one) => one.kind === 'message' && one.target !== null);
  if (offered?.kind !== 'message') return false;
  const request = readMessageRequest(heard, draft.language, draft.facts.targets);
  if (!request || request.isForNamed || request.found.length > 0) return false;
  beginMessage(draft, { target: offered.target, text: request.text });
  return true;
}

function acceptOffer(draft: TurnDraft, offer: Offer, heard: HeardWords): void {
  if (offer.kind === 'message') return beginMessage(draft, { target: offer.target });
  if (offer.kind === 'callback') return beginCallback(draft, {});
  if (offer.kind === 'text') return answerText(draft, offer.entryId, 'yes');
  const request = readPersonRequest(heard, draft.language, draft.facts.targets);
  if (request?.kind === 'named' && request.found.length > 0)
    return meetTarget(draft, request.found, { purpose: 'transfer', asked: heard.text });
  askWhom(draft, 'transfer');
}

function answerAnythingElse(draft: TurnDraft, heard: HeardWords, answer: YesNo | null): Left {
  if (!answer) return heard;
  if (answer.rest.tokens.length >= WISH_WORDS_MIN) return answer.rest;
  if (answer.answer === 'no') sayGoodbye(draft);
  else askForWish(draft);
  return null;
}
