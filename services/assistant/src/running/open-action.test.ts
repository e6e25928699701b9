import { describe, expect, it } from '@jest/globals';
import type { Action } from '../engine/engine.ts';
import type { LoadedFacts } from '../facts/loaded-facts.ts';
import type { ActionItem } from '../sessions/session-item.ts';
import { ItemLog } from './item-log.ts';
import {
  actionWithResult,
  beginAction,
  hasItem,
  isLast,
  isToDo,
  newActionItem,
  openAction,
  storedAction,
} from './open-action.ts';

const ids = { id: 'act_1', callerName: 'Jane', matter: null };
const ring = { ...ids, name: 'transfer_call', arguments: { target: 'tgt_sales' } } satisfies Action;
const take = { ...ids, name: 'take_message', arguments: { text: 'Call me' } } satisfies Action;
const handOver = (reason: string) => ({ ...ids, name: 'hand_over', arguments: {}, reason }) as Action;
const end = { ...ids, name: 'end_call', arguments: {} } as Action;
const loaded = { destinations: new Map([['tgt_sales', { name: 'Sales' }]]) } as unknown as LoadedFacts;
const itemLog = (count = 0) =>
  new ItemLog(
    count,
    async () => undefined,
    () => undefined,
  );

function begun(action: Action) {
  const item = itemLog().add<ActionItem>(newActionItem(action, loaded, new Date('2026-05-12T10:00:00Z')));
  return beginAction(action, item);
}

describe('an action', () => {
  it('an action rings from its begin to its result if it is a transfer', () => {
    expect([begun(ring).isRinging, begun(take).isRinging]).toEqual([true, false]);
    expect(actionWithResult(begun(ring), 'declined')).toMatchObject({ action: ring, result: 'declined' });
    expect(actionWithResult(begun(ring), 'declined').isRinging ?? false).toBe(false);
  });

  it('an action is to be done until its result is known', () => {
    const open = begun(take);
    expect([isToDo(undefined), isToDo({ action: take }), isToDo(open)]).toEqual([false, true, true]);
    expect(isToDo(actionWithResult(open, 'taken'))).toBe(false);
  });

  it('an action of the product is no item, but a hand-over that the caller asked for', () => {
    expect([ring, take, end, handOver('requested'), handOver('silence')].map(hasItem)).toEqual([
      true,
      true,
      true,
      true,
      false,
    ]);
  });

  it('an action after which the caller goes on without the assistant is the last one', () => {
    expect([ring, take, end, handOver('requested')].map(isLast)).toEqual([false, false, true, true]);
  });

  it.each([
    ['only decided', { action: ring }],
    ['begun', begun(ring)],
    ['ended', actionWithResult(begun(ring), 'no_answer')],
  ])('an action that is %s is the same in the process that continues the session', (_, open) => {
    const stored = JSON.parse(JSON.stringify(storedAction(open))) as ReturnType<typeof storedAction>;
    const again = openAction(itemLog(1), stored);
    expect(storedAction(again)).toEqual(storedAction(open));
    expect([isToDo(again), again.item?.current.target]).toEqual([isToDo(open), open.item?.current.target]);
  });
});
