import type { RequestedAction, RequestRefusal, Sentence, SessionFacts, Turn } from './engine.ts';
import { mentionsName } from './hearing/find-targets.ts';
import { hearWords } from './hearing/heard-words.ts';
import { maskSecrets } from './hearing/mask-secrets.ts';
import { readPersonRequest } from './hearing/requests.ts';
import { phoneNumberOf } from './hearing/spoken-phone-number.ts';
import { countSaid } from './speaking/unrepeated.ts';
import type { EngineState } from './state.ts';
import { beginCallback } from './tasks/callback-task.ts';
import { handOver, sayGoodbye } from './tasks/hand-over.ts';
import { beginMessage } from './tasks/message-task.ts';
import { mayBeCalled } from './tasks/numbers.ts';
import { confirmText, maySendText } from './tasks/send-text.ts';
import { meetTarget } from './tasks/transfer.ts';
import { draftTurn, type TurnDraft } from './turn-draft.ts';

const TRIES_MAX = 2;

/**
 * An action that a model asked for, as a turn: what is to be confirmed is asked, and nothing is done without the caller's yes. `heard` are
 * the words it answers; somebody whose name is in them is rung at once.
 */
export function requestAction(
  state: EngineState,
  facts: SessionFacts,
  request: RequestedAction,
  heard: string,
): Turn<EngineState> | { refused: RequestRefusal } {
  const draft = draftTurn(state, facts);
  const refused = begin(draft, request, heard);
  if (refused) return { refused };
  return { ...draft.finish(), heard };
}

function begin(draft: TurnDraft, request: RequestedAction, heard: string): RequestRefusal | undefined {
  const { actions } = draft.facts.assistant;
  draft.ask(null, 'anything');
  draft.change({ task: null, unconfirmed: null });
  switch (request.name) {
    case 'transfer_call':
      return actions.transfer ? transfer(draft, request.arguments.target, heard) : 'not_allowed';
    case 'take_message':
      return actions.takeMessage ? takeMessage(draft, request.arguments) : 'not_allowed';
    case 'request_callback':
      return actions.requestCallback ? requestCallback(draft, request.arguments) : 'not_allowed';
    case 'send_text': {
      if (!maySendText(draft)) return 'not_allowed';
      const entry = draft.entry(request.arguments.knowledge_entry_id);
      if (!entry || entry.text === null) return 'unknown_entry';
      confirmText(draft, entry);
      return undefined;
    }
    case 'hand_over':
      handOver(draft, 'requested');
      return undefined;
    case 'end_call':
      sayGoodbye(draft);
      return undefined;
  }
}

function transfer(draft: TurnDraft, id: string, heard: string): RequestRefusal | undefined {
  const target = draft.target(id);
  if (!target) return 'unknown_target';
  if ((draft.state.transfers[id] ?? 0) >= TRIES_MAX) return 'limit_reached';
  const words = hearWords(heard);
  const named = readPersonRequest(words, draft.language, draft.facts.targets);
  const isExact =
    mentionsName(words.plain, target) ||
    (named?.kind === 'named' && named.found.length === 1 && named.found[0]!.exact && named.found[0]!.target.id === id);
  meetTarget(draft, [{ target, score: 1, exact: isExact }], { purpose: 'transfer', asked: heard });
  return undefined;
}

type ArgumentsOf<Name extends RequestedAction['name']> = Extract<RequestedAction, { name: Name }>['arguments'];

function takeMessage(draft: TurnDraft, message: ArgumentsOf<'take_message'>): RequestRefusal | undefined {
  const { target, callback_number: said, caller_name: callerName } = message;
  if (target !== undefined && !draft.target(target)) return 'unknown_target';
  const number = said === undefined ? undefined : phoneNumberOf(said, draft.facts.company.callingRules.country);
  if (said !== undefined && !number) return 'invalid_number';
  beginMessage(draft, {
    text: maskSecrets(message.text).text,
    ...(callerName !== undefined && { callerName }),
    number: number?.number ?? null,
    target: target ?? null,
  });
  return undefined;
}

function requestCallback(
  draft: TurnDraft,
  { number: said, when, target }: ArgumentsOf<'request_callback'>,
): RequestRefusal | undefined {
  if (target !== undefined && !draft.target(target)) return 'unknown_target';
  const number = said === undefined ? undefined : phoneNumberOf(said, draft.facts.company.callingRules.country);
  if (said !== undefined && !(number && mayBeCalled(number.number, draft.facts))) return 'invalid_number';
  beginCallback(draft, { number: number?.number ?? null, when: when ?? null, target: target ?? null });
  return undefined;
}

/** A model's answer to words, so that it can be repeated and interrupted, and the embedded engine can go on after it. */
export function noteReply(state: EngineState, heard: string, say: readonly Sentence[]): EngineState {
  const said = say.reduce((counts, { text }) => countSaid(text, counts), state.said);
  return {
    ...state,
    said,
    heard: maskSecrets(heard, state.heard).text,
    last: say,
    lastHeard: true,
    question: null,
    task: null,
    unconfirmed: null,
    expects: 'anything',
    misunderstood: 0,
    silences: 0,
  };
}
