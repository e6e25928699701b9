import type { HeardWords } from './hearing/heard-words.ts';
import { readOtherTime } from './hearing/requests.ts';
import type { YesNo } from './hearing/yes-no.ts';
import type { CallbackTask, Confirmation, EngineState, Question } from './state.ts';
import {
  answerCallback,
  confirmNumber,
  confirmOwnNumber,
  confirmTime,
  hearCallbackNumber,
} from './tasks/callback-task.ts';
import { answerMessage, confirmMessage } from './tasks/message-task.ts';
import { answerText, confirmText } from './tasks/send-text.ts';
import type { TurnDraft } from './turn-draft.ts';

export function isConfirmation(question: Question | null): question is Confirmation {
  return question?.kind === 'confirm_task' || question?.kind === 'own_number' || question?.kind === 'confirm_text';
}

/** Without a yes nothing is done; a yes to what was not heard is none. Words that are no answer are returned. */
export function answerConfirmation(
  draft: TurnDraft,
  question: Confirmation,
  heard: HeardWords,
  answer: YesNo | null,
): HeardWords | null {
  const { task, lastHeard } = draft.state;
  const isCallback = task?.kind === 'callback';
  if (!answer) return isCallback ? answerWithDetail(draft, task, heard) : heard;
  if (answer.answer === 'yes' && !lastHeard) {
    askAgain(draft, question);
    return null;
  }
  if (question.kind === 'confirm_text') {
    answerText(draft, question.entryId, answer.answer);
    return null;
  }
  if (task?.kind === 'message') answerMessage(draft, task, answer.answer, answer.rest);
  else if (isCallback) answerCallback(draft, task, answer.answer, answer.rest);
  return null;
}

/** A number or a time instead of a yes: "call me on … instead", "tomorrow morning". */
function answerWithDetail(draft: TurnDraft, task: CallbackTask, heard: HeardWords): HeardWords | null {
  if (hasDigits(heard)) {
    hearCallbackNumber(draft, task, heard);
    return null;
  }
  const when = readOtherTime(heard, draft.language);
  if (when === null) return heard;
  confirmTime(draft, { ...task, when });
  return null;
}

const MANY_DIGITS = /(?:\d[\s.-]?){5,}/;

function hasDigits({ text }: HeardWords): boolean {
  return MANY_DIGITS.test(text);
}

/** What a yes would agree to: asked now, or left open by a question of the caller. */
export function openConfirmation({ question, task, unconfirmed = null }: EngineState): EngineState['unconfirmed'] {
  return isConfirmation(question) ? { question, task } : unconfirmed;
}

/**
 * Words that were no answer to a confirmation were understood in another way, or not. The confirmation is asked again where that was
 * no other wish, so that a message is not lost. `actions`: how many there were before.
 */
export function returnToConfirmation(draft: TurnDraft, actions: number): void {
  const { unconfirmed, question, task, ended } = draft.state;
  if (!unconfirmed) return;
  // First the caller says what was meant.
  if (draft.understood && question?.kind === 'choice' && question.purpose === 'answer') return;
  draft.change({ unconfirmed: null });
  const isAnswered = question === null && task === null && !ended && draft.state.actions === actions;
  if (draft.understood && !isAnswered) return;
  if (!draft.understood) {
    draft.unsay();
    draft.unanswered = null;
  }
  draft.change({ task: unconfirmed.task });
  askAgain(draft, unconfirmed.question);
}

/** What a yes would agree to, once more. */
function askAgain(draft: TurnDraft, question: Confirmation): void {
  const { task } = draft.state;
  if (question.kind === 'confirm_text') {
    const entry = draft.entry(question.entryId);
    if (entry) confirmText(draft, entry);
  } else if (task?.kind === 'message') confirmMessage(draft, task);
  else if (task?.kind === 'callback') (question.kind === 'own_number' ? confirmOwnNumber : confirmNumber)(draft, task);
}
