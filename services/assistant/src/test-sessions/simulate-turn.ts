import type { Answer, AnswerHooks, EngineInUse } from '../engine/answer.ts';
import type { Action, ActionResult, Heard, SessionFacts } from '../engine/engine.ts';
import type { Source } from '../sessions/session-item.ts';

/** What an assistant says and would do. */
export interface SimulatedTurn {
  readonly state: unknown;
  readonly reply: string;
  readonly actions: readonly Pick<Action, 'name' | 'arguments'>[];
  readonly sources: readonly Source[];
  readonly understood: boolean;
  /** What has answered last. */
  readonly engine: EngineInUse;
  readonly hasEnded: boolean;
}

/** What would become of an action if all went well. */
const RESULTS: Readonly<Record<Action['name'], ActionResult>> = {
  transfer_call: 'connected',
  take_message: 'taken',
  request_callback: 'queued',
  send_text: 'sent',
  hand_over: 'handed_over',
  end_call: 'ended',
};
const LAST: readonly Action['name'][] = ['transfer_call', 'hand_over', 'end_call'];
/** An engine that follows one action with another is cut off. */
const ACTIONS_MAX = 3;

/** Answers as in a call, but nothing is done: each action is taken as having gone well. */
export async function simulateTurn(
  answer: Answer,
  state: unknown,
  facts: SessionFacts,
  heard: Heard,
  used: AnswerHooks['used'],
): Promise<SimulatedTurn> {
  const said: string[] = [];
  const sources: Source[] = [];
  const actions: Action[] = [];
  let saidBy: EngineInUse | undefined;
  const hooks: AnswerHooks = {
    heardAs: () => undefined,
    say({ text, sources: from }, by) {
      said.push(text);
      saidBy = by;
      sources.push(...from.map(({ type, id }) => ({ type, ...(id !== null && { id }) })));
    },
    note: () => undefined,
    used,
  };
  let turn = await answer(state, facts, heard, hooks);
  const { understood, engine } = turn;
  while (turn.action && actions.length < ACTIONS_MAX) {
    const { action } = turn;
    actions.push(action);
    if (LAST.includes(action.name)) break;
    const result = { kind: 'action_result', actionId: action.id, result: RESULTS[action.name] } as const;
    turn = await answer(turn.state, facts, result, hooks);
  }
  return {
    state: turn.state,
    reply: said.join(' '),
    actions,
    sources,
    understood,
    engine: saidBy ?? engine,
    hasEnded: actions.some(({ name }) => LAST.includes(name)),
  };
}
