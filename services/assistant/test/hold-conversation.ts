import { decideTurn } from '../src/engine/decide-turn.ts';
import type { ActionResult, Heard, SessionFacts, Turn } from '../src/engine/engine.ts';
import { createState, type EngineState } from '../src/engine/state.ts';
import { companyFacts } from './company-facts.ts';

export const FACTS = companyFacts('bicycles');

export const withFacts = (change: Partial<SessionFacts>): SessionFacts => ({ ...FACTS, ...change });
export const withActions = (actions: Partial<SessionFacts['assistant']['actions']>) =>
  withFacts({ assistant: { ...FACTS.assistant, actions: { ...FACTS.assistant.actions, ...actions } } });

/** Words, or an event. */
type Line = string | Heard;

/** A conversation so far; what is heard is told to `hear`. */
export function call(facts: SessionFacts = FACTS) {
  let state = createState('ses_1');
  let turn!: Turn<EngineState>;
  const conversation = {
    hear(...lines: Line[]) {
      for (const line of lines) {
        const heard: Heard = typeof line === 'string' ? { kind: 'words', text: line } : line;
        turn = decideTurn(state, facts, heard, { vector: null });
        ({ state } = turn);
      }
      return conversation;
    },
    result(result: ActionResult) {
      return conversation.hear({ kind: 'action_result', actionId: state.pending?.id ?? '', result });
    },
    keys: (digits: string) => conversation.hear({ kind: 'keys', digits }),
    get said() {
      return turn.say.map(({ text }) => text).join(' ');
    },
    get turn() {
      return turn;
    },
    get action() {
      const { action } = turn;
      return action && { name: action.name, ...action.arguments, ...('reason' in action && { reason: action.reason }) };
    },
  };
  return conversation.hear({ kind: 'begin' });
}
