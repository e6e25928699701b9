import type { Action, ActionResult } from '../engine/engine.ts';
import type { Destination, LoadedFacts } from '../facts/loaded-facts.ts';
import type { TakenMessage } from '../sessions/session-content.ts';
import type { Person } from '../sessions/session-update.ts';

/** What a session does outside itself. Every request has the id of its action: repeated, it has one effect. */
export interface SessionWork {
  /** Undefined while somebody rings: what follows is told by updates. */
  startTransfer(request: {
    readonly actionId: string;
    readonly destination: Destination;
    readonly callerName: string;
    readonly matter: string;
  }): Promise<ActionResult | undefined>;
  finishWhisper(actionId: string): Promise<void>;
  requestCallback(request: {
    readonly actionId: string;
    /** Empty for the number that calls. */
    readonly number: string;
    readonly employeeIds: readonly string[];
  }): Promise<'queued' | 'not_allowed' | 'closed'>;
  sendText(request: { readonly actionId: string; readonly text: string }): Promise<ActionResult>;
  /** Asked for until it is accepted, or the session is over. */
  runFallback(reason: string, over: AbortSignal): Promise<void>;
  endCall(over: AbortSignal): Promise<void>;
  report(engine: 'embedded' | 'endpoint', outcomeIfLeft: string, revision: number): Promise<void>;
}

/** Waits for an action at most; then it counts as failed. */
const ACTION_MS_MAX = 5000;

/** What became of an action; `message`: one that was taken. `pending`: a transfer rings. */
export interface Performed {
  readonly result: ActionResult | 'pending';
  readonly message?: TakenMessage;
}

/** Does what an engine decided, except what concerns the session itself: its message and its end. */
export async function perform(
  work: SessionWork,
  action: Action,
  loaded: LoadedFacts,
  over: AbortSignal,
): Promise<Performed> {
  switch (action.name) {
    case 'transfer_call': {
      const destination = loaded.destinations.get(action.arguments.target);
      if (!destination) return { result: 'not_allowed' };
      const { id: actionId, callerName, matter } = action;
      const request = { actionId, destination, callerName: callerName ?? '', matter: matter ?? '' };
      return { result: (await inTime(work.startTransfer(request))) ?? 'pending' };
    }
    case 'take_message':
      return { result: 'taken', message: messageOf(action, loaded) };
    case 'request_callback': {
      const { number = '', target } = action.arguments;
      const employeeIds = target === undefined ? [] : (loaded.destinations.get(target)?.employeeIds ?? []);
      const result = await inTime(work.requestCallback({ actionId: action.id, number, employeeIds }));
      if (result !== 'closed') return { result };
      return { result: 'taken', message: messageOf(action, loaded) };
    }
    case 'send_text': {
      const entry = loaded.facts.knowledge.entries.find(({ id }) => id === action.arguments.knowledge_entry_id);
      if (!entry?.text) return { result: 'not_possible' };
      return { result: await inTime(work.sendText({ actionId: action.id, text: entry.text })) };
    }
    case 'hand_over':
      await work.runFallback(action.reason, over);
      return { result: 'handed_over' };
    case 'end_call':
      await work.endCall(over);
      return { result: 'ended' };
  }
}

type MessageAction = Extract<Action, { name: 'take_message' | 'request_callback' }>;

function messageOf(action: MessageAction, { facts, destinations }: LoadedFacts): TakenMessage {
  const isCallback = action.name === 'request_callback';
  const number = isCallback ? action.arguments.number : action.arguments.callback_number;
  const { target } = action.arguments;
  return {
    text: isCallback ? (action.matter ?? '') : action.arguments.text,
    callerName: (isCallback ? action.callerName : (action.arguments.caller_name ?? action.callerName)) ?? null,
    callbackNumber: number ?? facts.caller.number,
    for: target === undefined ? null : personFor(target, destinations.get(target)),
    callbackRequested: isCallback,
    wanted: (isCallback ? action.arguments.when : undefined) ?? null,
    takenAt: facts.now.toISOString(),
  };
}

/** The employee, where a target is one; otherwise the target. */
function personFor(target: string, destination: Destination | undefined): Person | null {
  if (!destination) return null;
  const [only, ...others] = destination.employeeIds;
  return { id: only !== undefined && others.length === 0 ? only : target, name: destination.name };
}

async function inTime<Result>(request: Promise<Result>): Promise<Result> {
  let limit: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    limit = setTimeout(() => reject(new Error('the action took too long')), ACTION_MS_MAX);
  });
  try {
    return await Promise.race([request, late]);
  } finally {
    clearTimeout(limit);
  }
}
