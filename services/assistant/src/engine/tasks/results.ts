import type { Action, ActionResult, Target } from '../engine.ts';
import type { TurnDraft } from '../turn-draft.ts';
import type { SentenceKey } from '../words/sentences.ts';
import { refuseNumber } from './callback-task.ts';
import { end } from './hand-over.ts';
import { askForMore, offer, offersOf } from './offers.ts';
import { offerInstead } from './transfer.ts';

/** What happened, said from the result of an action, and the next thing offered. Only here is anything claimed to be done. */
export function tellResult(draft: TurnDraft, action: Action, result: ActionResult): void {
  const { done } = draft.state;
  draft.change({ pending: null });
  switch (action.name) {
    case 'transfer_call':
      return tellTransfer(draft, draft.target(action.arguments.target), result);
    case 'take_message':
      if (result !== 'taken') {
        draft.change({ done: { ...done, isOpen: true } });
        draft.say('message_failed');
        return offer(draft, offersOf(draft, ['message']));
      }
      draft.change({ done: { ...done, messageTaken: true, isOpen: false } });
      draft.say('message_taken');
      return askForMore(draft);
    case 'request_callback':
      return tellCallback(draft, result);
    case 'send_text':
      return tellText(draft, result);
    case 'hand_over':
    case 'end_call':
      return end(draft);
  }
}

const TRANSFER_RESULTS: Readonly<Partial<Record<ActionResult, SentenceKey>>> = {
  no_answer: 'no_answer',
  declined: 'declined',
  unavailable: 'unavailable',
  not_allowed: 'transfer_not_allowed',
};

function tellTransfer(draft: TurnDraft, target: Target | undefined, result: ActionResult): void {
  if (result === 'connected') {
    draft.change({ done: { ...draft.state.done, isOpen: false } });
    return end(draft);
  }
  // Somebody who was removed meanwhile has no name any more.
  if (!target) {
    draft.say('unknown_person');
    return offer(draft, offersOf(draft));
  }
  draft.say(TRANSFER_RESULTS[result] ?? 'transfer_failed', { name: target.name });
  offerInstead(draft, target);
}

function tellCallback(draft: TurnDraft, result: ActionResult): void {
  const { task, done } = draft.state;
  if (result === 'queued' || result === 'taken') {
    draft.change({
      task: null,
      ...(task?.kind === 'callback' && { arranged: task }),
      done: { ...done, callbackRequested: true, isOpen: false },
    });
    draft.say(result === 'queued' ? 'callback_queued' : 'callback_taken');
    return askForMore(draft);
  }
  draft.change({ done: { ...done, isOpen: true } });
  if (result === 'not_allowed' && task?.kind === 'callback') return refuseNumber(draft, task);
  draft.change({ task: null });
  draft.say('callback_failed');
  offer(draft, offersOf(draft, ['callback']));
}

function tellText(draft: TurnDraft, result: ActionResult): void {
  const { done, textsSent } = draft.state;
  if (result === 'sent') {
    draft.change({ textsSent: textsSent + 1, done: { ...done, textSent: true, isOpen: false } });
    draft.say('text_sent');
  } else {
    draft.say(result === 'not_possible' || result === 'not_allowed' ? 'text_not_possible' : 'text_failed');
  }
  askForMore(draft);
}
