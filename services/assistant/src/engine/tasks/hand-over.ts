import type { HandOverReason } from '../engine.ts';
import type { TurnDraft } from '../turn-draft.ts';

/** The caller goes on with the fallback, after what was said in this turn. */
export function handOver(draft: TurnDraft, reason: HandOverReason): void {
  draft.say('hand_over', undefined, { interruptible: false });
  end(draft);
  draft.perform({ name: 'hand_over', arguments: {}, reason });
}

export function sayGoodbye(draft: TurnDraft): void {
  draft.say('goodbye', undefined, { interruptible: false });
  end(draft);
  draft.perform({ name: 'end_call', arguments: {} });
}

/** Nothing is said any more. */
export function end(draft: TurnDraft): void {
  draft.change({ ended: true, task: null });
  draft.ask(null, 'anything');
}
