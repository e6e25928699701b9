import type { Action, ActionResult } from '../engine/engine.ts';
import type { Destination, LoadedFacts } from '../facts/loaded-facts.ts';
import type { ActionItem } from '../sessions/session-item.ts';
import type { ItemLog, LoggedItem } from './item-log.ts';

/** What another process needs to do it again. */
export interface StoredAction {
  readonly action: Action;
  /** Its item; absent until there is one. */
  readonly item?: { readonly sequence: number; readonly target: ActionItem['target']; readonly startedAt: string };
  /** Known, but not answered yet. */
  readonly result?: ActionResult;
}

/** An action whose result is not answered yet. */
export interface OpenAction {
  readonly action: Action;
  readonly item?: LoggedItem<ActionItem>;
  /** Somebody rings: the session is told the result. */
  readonly isRinging?: boolean;
  readonly result?: ActionResult;
}

/** The session ends with it. */
export const isLast = ({ name }: Action): boolean => name === 'hand_over' || name === 'end_call';

/** What the product does with a call is no action of the assistant. */
export const hasItem = (action: Action): boolean => action.name !== 'hand_over' || action.reason === 'requested';

export const beginAction = (action: Action, item: OpenAction['item']): OpenAction => ({
  action,
  isRinging: action.name === 'transfer_call',
  ...(item && { item }),
});

/** Nobody rings any more. */
export const actionWithResult = ({ action, item }: OpenAction, result: ActionResult): OpenAction => ({
  action,
  result,
  ...(item && { item }),
});

/** Whether it is still to be done: its result is not known. */
export const isToDo = (open: OpenAction | undefined): open is OpenAction => open !== undefined && !open.result;

export const newActionItem = (action: Action, loaded: LoadedFacts, now: Date): ActionItem =>
  actionItem(action, targetOf(action, loaded.destinations), now);

function actionItem(action: Action, target: ActionItem['target'], startedAt: Date): ActionItem {
  const { name, arguments: given } = action;
  return { type: 'action', action: name, arguments: given, target, result: null, startedAt, endedAt: null };
}

/** As it was stored; it may have been begun. */
export function openAction(items: ItemLog, { action, item, result }: StoredAction): OpenAction {
  if (!item) return { action, ...(result && { result }) };
  const { sequence, target, startedAt } = item;
  const stored = { ...actionItem(action, target, new Date(startedAt)), result: result ?? null };
  return { action, item: items.reopen(sequence, stored), ...(result && { result }) };
}

export function storedAction({ action, item, result }: OpenAction): StoredAction {
  const { target = null, startedAt } = item?.current ?? {};
  return {
    action,
    ...(item && startedAt && { item: { sequence: item.sequence, target, startedAt: startedAt.toISOString() } }),
    ...(result && { result }),
  };
}

function targetOf(action: Action, destinations: ReadonlyMap<string, Destination>): ActionItem['target'] {
  const id = 'target' in action.arguments ? action.arguments.target : undefined;
  const destination = id === undefined ? undefined : destinations.get(id);
  return id === undefined || !destination ? null : { id, name: destination.name };
}
