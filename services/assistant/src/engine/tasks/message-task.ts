import { readSpokenNumber } from '../hearing/spoken-phone-number.ts';
import { hearWords, type HeardWords, wordCount } from '../hearing/heard-words.ts';
import { readMessageRequest } from '../hearing/requests.ts';
import { readOwnName } from '../hearing/own-name.ts';
import { isOnlyYesOrNo, readYesNo } from '../hearing/yes-no.ts';
import { lastDigits } from '../speaking/spoken-figures.ts';
import type { MessageTask } from '../state.ts';
import type { TurnDraft } from '../turn-draft.ts';
import { vocabularyOf } from '../words/vocabularies.ts';
import { handOver } from './hand-over.ts';
import { spokenNumberOf } from './numbers.ts';
import { askForMore, offer, offersOf } from './offers.ts';

/** More of a message is noted, and not repeated. */
const REPEATED_LENGTH_MAX = 220;
const TEXT_LENGTH_MAX = 1000;
const CORRECTIONS_MAX = 3;
/** So few words beside a name are no message. */
const WORDS_BESIDE_NAME_MAX = 3;
const NUMBER_ATTEMPTS_MAX = 2;

const NEW_TASK: MessageTask = {
  kind: 'message',
  text: null,
  callerName: null,
  isNameAsked: false,
  number: null,
  isNumberAsked: false,
  target: null,
  corrections: 0,
};

/** Begins to take a message, with what is known of it already. */
export function beginMessage(draft: TurnDraft, known: Partial<Omit<MessageTask, 'kind'>>): void {
  if (!draft.facts.assistant.actions.takeMessage) {
    draft.say('no_messages');
    return offer(draft, offersOf(draft, ['message']));
  }
  continueMessage(draft, { ...NEW_TASK, callerName: draft.state.callerName ?? draft.facts.caller.name, ...known });
}

/** Asks for what is missing, and then whether it is right. */
function continueMessage(draft: TurnDraft, task: MessageTask): void {
  draft.change({ task });
  const { facts } = draft;
  if (task.text === null) {
    draft.say('ask_message');
    draft.ask({ kind: 'slot', slot: 'message', digits: '' }, 'message');
  } else if (task.callerName === null && !task.isNameAsked) {
    draft.change({ task: { ...task, isNameAsked: true } });
    draft.say('ask_name');
    draft.ask({ kind: 'slot', slot: 'name', digits: '' }, 'name');
  } else if (task.number === null && facts.caller.number === null && !task.isNumberAsked) {
    draft.change({ task: { ...task, isNumberAsked: true } });
    draft.say('ask_number');
    draft.ask({ kind: 'slot', slot: 'number', digits: '' }, 'number');
  } else {
    confirmMessage(draft, task);
  }
}

/** Repeats the message in its essentials. */
export function confirmMessage(draft: TurnDraft, task: MessageTask): void {
  const { facts } = draft;
  draft.say('repeat_message', { text: essentials(task.text ?? '') });
  const target = task.target === null ? undefined : draft.target(task.target);
  if (target) draft.say('repeat_for', { name: target.name });
  if (task.callerName !== null) draft.say('repeat_name', { name: task.callerName });
  if (task.number !== null) draft.say('repeat_number', { number: spokenNumberOf(task.number, facts) });
  else if (facts.caller.number !== null) draft.say('repeat_own_number', { digits: lastDigits(facts.caller.number) });
  draft.say('is_that_right');
  draft.ask({ kind: 'confirm_task' }, 'yes_no');
}

/** One sentence, because its parts are not said a third time when something else of the message has changed. */
function essentials(text: string): string {
  const line = text
    .replaceAll(/[.!?]+(?=\s|$)/g, ';')
    .replaceAll(/\s+/g, ' ')
    .replace(/[;,\s]+$/, '')
    .trim();
  if (line.length <= REPEATED_LENGTH_MAX) return `${line}.`;
  return `${line.slice(0, line.lastIndexOf(' ', REPEATED_LENGTH_MAX))} …`;
}

/** The words that answer what was asked about the message. */
export function hearMessageSlot(
  draft: TurnDraft,
  task: MessageTask,
  slot: 'message' | 'name' | 'number' | 'correction',
  heard: HeardWords,
): void {
  const vocabulary = vocabularyOf(draft.language);
  if (vocabulary.cancel.test(heard.plain)) return dropMessage(draft);
  switch (slot) {
    case 'message':
      return hearText(draft, task, heard);
    case 'name':
      return hearName(draft, task, heard);
    case 'number':
      return hearNumber(draft, task, heard);
    case 'correction':
      return correctMessage(draft, task, heard);
  }
}

function hearText(draft: TurnDraft, task: MessageTask, heard: HeardWords): void {
  const { language } = draft;
  const answer = readYesNo(heard, language);
  if (answer && wordCount(answer.rest.plain) === 0) {
    if (answer.answer === 'no') return dropMessage(draft);
    draft.say('ask_message_again');
    draft.ask({ kind: 'slot', slot: 'message', digits: '' }, 'message');
    return;
  }
  const name = readOwnName(heard, language, false);
  const callerName = name ?? task.callerName;
  if (name !== null) draft.change({ callerName: name });
  const number = readSpokenNumber(heard, language, draft.facts.company.callingRules.country);
  const withNumber = number.kind === 'number' ? number.number.number : task.number;
  if (name !== null && heard.tokens.length - wordCount(hearWords(name).plain) <= WORDS_BESIDE_NAME_MAX) {
    draft.change({ task: { ...task, callerName } });
    draft.say('ask_message_again');
    draft.ask({ kind: 'slot', slot: 'message', digits: '' }, 'message');
    return;
  }
  // "Tell Anna that …": whom it is for may be part of what is noted.
  const found = readMessageRequest(heard, language, draft.facts.targets)?.found ?? [];
  const target = task.target ?? (found.length === 1 && found[0]!.exact ? found[0]!.target.id : null);
  continueMessage(draft, {
    ...task,
    text: heard.text.trim().slice(0, TEXT_LENGTH_MAX),
    callerName,
    number: withNumber,
    target,
  });
}

function hearName(draft: TurnDraft, task: MessageTask, heard: HeardWords): void {
  const { language } = draft;
  const isRefused = vocabularyOf(language).none.test(heard.plain) || isOnlyYesOrNo(heard, language);
  const callerName = isRefused ? null : readOwnName(heard, language, true);
  if (callerName !== null) draft.change({ callerName });
  const number = readSpokenNumber(heard, language, draft.facts.company.callingRules.country);
  continueMessage(draft, {
    ...task,
    callerName,
    isNameAsked: true,
    number: number.kind === 'number' ? number.number.number : task.number,
  });
}

function hearNumber(draft: TurnDraft, task: MessageTask, heard: HeardWords): void {
  const { language, state, facts } = draft;
  const before = state.question?.kind === 'slot' ? state.question.digits : '';
  const number = readSpokenNumber(heard, language, facts.company.callingRules.country, before);
  if (number.kind === 'number') return continueMessage(draft, { ...task, number: number.number.number });
  const isRefused = vocabularyOf(language).none.test(heard.plain) || readYesNo(heard, language)?.answer === 'no';
  if (isRefused || state.misunderstood >= NUMBER_ATTEMPTS_MAX)
    return continueMessage(draft, { ...task, isNumberAsked: true });
  askForWholeNumber(draft, number.kind === 'digits' ? number.digits : '');
}

const DIGITS_OF_HALF_MAX = 7;

/** The digits so far are kept: callers pause in their numbers. */
export function askForWholeNumber(draft: TurnDraft, digits: string): void {
  const goesOn = digits !== '' && digits.length <= DIGITS_OF_HALF_MAX;
  draft.understood = goesOn;
  draft.say(goesOn ? 'number_goes_on' : 'number_incomplete');
  draft.ask({ kind: 'slot', slot: 'number', digits: goesOn ? digits : '' }, 'number');
}

/** What was wrong with the message, or all of it anew. */
function correctMessage(draft: TurnDraft, task: MessageTask, heard: HeardWords): void {
  const { language, facts } = draft;
  if (task.corrections >= CORRECTIONS_MAX) return handOver(draft, 'not_understood');
  const corrections = task.corrections + 1;
  const number = readSpokenNumber(heard, language, facts.company.callingRules.country);
  const name = readOwnName(heard, language, false);
  if (number.kind === 'number') return continueMessage(draft, { ...task, corrections, number: number.number.number });
  if (name !== null) {
    draft.change({ callerName: name });
    return continueMessage(draft, { ...task, corrections, callerName: name });
  }
  if (wordCount(heard.plain) >= 2)
    return continueMessage(draft, { ...task, corrections, text: heard.text.trim().slice(0, TEXT_LENGTH_MAX) });
  draft.change({ task: { ...task, corrections } });
  draft.say('ask_correction');
  draft.ask({ kind: 'slot', slot: 'correction', digits: '' }, 'message');
}

/** A yes or no to the repeated message. */
export function answerMessage(draft: TurnDraft, task: MessageTask, answer: 'yes' | 'no', rest: HeardWords): void {
  if (answer === 'no') {
    if (vocabularyOf(draft.language).cancel.test(rest.plain)) return dropMessage(draft);
    return correctMessage(draft, task, wordCount(rest.plain) >= 2 ? rest : hearWords(''));
  }
  draft.ask(null, 'anything');
  draft.change({ task: null });
  draft.perform(
    {
      name: 'take_message',
      arguments: {
        text: task.text ?? '',
        ...(task.callerName !== null && { caller_name: task.callerName }),
        ...(task.number !== null && { callback_number: task.number }),
        ...(task.target !== null && { target: task.target }),
      },
    },
    { callerName: task.callerName },
  );
}

function dropMessage(draft: TurnDraft): void {
  draft.change({ task: null });
  draft.say('dropped');
  askForMore(draft);
}
