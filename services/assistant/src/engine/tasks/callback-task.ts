import type { HeardWords } from '../hearing/heard-words.ts';
import { readWhen } from '../hearing/requests.ts';
import { readSpokenNumber } from '../hearing/spoken-phone-number.ts';
import { lastDigits } from '../speaking/spoken-figures.ts';
import type { CallbackTask } from '../state.ts';
import type { TurnDraft } from '../turn-draft.ts';
import { vocabularyOf } from '../words/vocabularies.ts';
import { handOver } from './hand-over.ts';
import { askForWholeNumber } from './message-task.ts';
import { mayBeCalled, spokenNumberOf } from './numbers.ts';
import { askForMore, offer, offersOf } from './offers.ts';

const ATTEMPTS_MAX = 3;

/** Begins to arrange a call back, with what is known of it already. */
export function beginCallback(draft: TurnDraft, known: Partial<Omit<CallbackTask, 'kind'>>): void {
  const { facts } = draft;
  if (!facts.assistant.actions.requestCallback) {
    draft.say('no_callbacks');
    return offer(draft, offersOf(draft, ['callback']));
  }
  const task: CallbackTask = { kind: 'callback', number: null, when: null, target: null, attempts: 0, ...known };
  if (task.number !== null) return takeNumber(draft, task, task.number);
  const own = facts.caller.number;
  if (own === null || !mayBeCalled(own, facts)) return askForNumber(draft, task);
  confirmOwnNumber(draft, task);
}

export function confirmOwnNumber(draft: TurnDraft, task: CallbackTask): void {
  draft.change({ task });
  draft.say('ask_callback_own_number', { digits: lastDigits(draft.facts.caller.number ?? '') });
  draft.ask({ kind: 'own_number' }, 'yes_no');
}

function askForNumber(draft: TurnDraft, task: CallbackTask): void {
  if (task.attempts >= ATTEMPTS_MAX) return handOver(draft, 'not_understood');
  draft.change({ task: { ...task, number: null, attempts: task.attempts + 1 } });
  draft.say('ask_callback_number');
  draft.ask({ kind: 'slot', slot: 'number', digits: '' }, 'number');
}

/** A number that was said or keyed in is repeated, if the company may call it. */
function takeNumber(draft: TurnDraft, task: CallbackTask, number: string): void {
  if (!mayBeCalled(number, draft.facts)) return refuseNumber(draft, task);
  confirmNumber(draft, { ...task, number });
}

export function confirmNumber(draft: TurnDraft, task: CallbackTask): void {
  draft.change({ task });
  draft.say('heard_number', { number: spokenNumberOf(task.number ?? '', draft.facts) });
  if (task.when !== null) draft.say('repeat_when', { when: task.when });
  draft.say('is_that_right');
  draft.ask({ kind: 'confirm_task' }, 'yes_no');
}

/** Repeats another time for the call, and asks again. */
export function confirmTime(draft: TurnDraft, task: CallbackTask & { readonly when: string }): void {
  if (task.number !== null) return confirmNumber(draft, task);
  draft.say('repeat_when', { when: task.when });
  confirmOwnNumber(draft, task);
}

/** Asks for another number. */
export function refuseNumber(draft: TurnDraft, task: CallbackTask): void {
  if (task.attempts >= ATTEMPTS_MAX) return handOver(draft, 'not_understood');
  draft.change({ task: { ...task, number: null, attempts: task.attempts + 1 } });
  draft.say('number_not_allowed');
  draft.ask({ kind: 'slot', slot: 'number', digits: '' }, 'number');
}

/** Words or keys where a number was asked for. */
export function hearCallbackNumber(draft: TurnDraft, task: CallbackTask, heard: HeardWords): void {
  const { language, state, facts } = draft;
  if (vocabularyOf(language).cancel.test(heard.plain)) return dropCallback(draft);
  const before = state.question?.kind === 'slot' ? state.question.digits : '';
  const number = readSpokenNumber(heard, language, facts.company.callingRules.country, before);
  const when = task.when ?? readWhen(heard, language);
  if (number.kind === 'number') return takeNumber(draft, { ...task, when }, number.number.number);
  if (number.kind === 'none' && vocabularyOf(language).none.test(heard.plain)) return dropCallback(draft);
  if (task.attempts >= ATTEMPTS_MAX) return handOver(draft, 'not_understood');
  draft.change({ task: { ...task, attempts: task.attempts + (number.kind === 'digits' ? 0 : 1) } });
  askForWholeNumber(draft, number.kind === 'digits' ? number.digits : '');
}

/** A yes or no to the caller's own number, or to a repeated one. */
export function answerCallback(draft: TurnDraft, task: CallbackTask, answer: 'yes' | 'no', rest: HeardWords): void {
  const when = task.when ?? readWhen(rest, draft.language);
  if (answer === 'no') {
    const number = readSpokenNumber(rest, draft.language, draft.facts.company.callingRules.country);
    if (number.kind === 'number') return takeNumber(draft, { ...task, when }, number.number.number);
    if (vocabularyOf(draft.language).cancel.test(rest.plain)) return dropCallback(draft);
    return askForNumber(draft, { ...task, when });
  }
  draft.ask(null, 'anything');
  // It is kept until the result is known: a number that is not allowed is asked for again.
  draft.change({ task: { ...task, when } });
  draft.perform({
    name: 'request_callback',
    arguments: {
      ...(task.number !== null && { number: task.number }),
      ...(when !== null && { when }),
      ...(task.target !== null && { target: task.target }),
    },
  });
}

function dropCallback(draft: TurnDraft): void {
  draft.change({ task: null });
  draft.say('dropped');
  askForMore(draft);
}
