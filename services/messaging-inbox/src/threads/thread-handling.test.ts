import { describe, expect, it } from '@jest/globals';
import { changeHandling, reopenHandling, type ThreadHandling } from './thread-handling.ts';

const subject = { id: 'thr_1', companyId: 'com_1', phone: '+4520304050', lastStoredAt: 100 };
const eva = { id: 'emp_1', name: 'Eva' };
const handling = (change: Partial<ThreadHandling> = {}): ThreadHandling => ({
  id: 'thr_1',
  companyId: 'com_1',
  phone: '+4520304050',
  assignee: null,
  state: 'open',
  doneThrough: 0,
  revision: 1,
  ...change,
});
const typesOf = (decision: ReturnType<typeof changeHandling>) =>
  decision.ok ? decision.events.map(({ type }) => type.replace('messaging-inbox.', '')) : undefined;

describe('how a thread is dealt with', () => {
  it.each([
    ['is assigned', undefined, { assignee: eva }, ['thread.assigned']],
    ['is assigned to the same again', handling({ assignee: eva }), { assignee: { ...eva, name: 'Eva B' } }, []],
    ['is assigned to nobody', handling({ assignee: eva }), { assignee: null }, ['thread.assigned']],
    ['is done', undefined, { state: 'done' as const }, ['thread.state_changed']],
    ['is done again', handling({ state: 'done', doneThrough: 100 }), { state: 'done' as const }, []],
    ['is open and is opened', undefined, { state: 'open' as const }, []],
    [
      'changes in both',
      undefined,
      { assignee: eva, state: 'done' as const },
      ['thread.assigned', 'thread.state_changed'],
    ],
  ])('a thread that %s publishes what has changed, and nothing else', (_name, current, change, events) => {
    const decision = changeHandling(current, subject, change);
    expect(typesOf(decision)).toEqual(events);
    expect(decision).toMatchObject({ ok: true, commands: events.length > 0 ? [{ kind: 'copy' }] : [] });
  });

  it('a thread keeps its assignee while the state changes', () => {
    const decision = changeHandling(handling({ assignee: eva }), subject, { state: 'done' });
    expect(decision).toMatchObject({ state: { assignee: eva, state: 'done', doneThrough: 100, revision: 2 } });
  });

  it('a thread is open again after an item that was stored later, and only after that', () => {
    const done = handling({ state: 'done', doneThrough: 100 });
    expect(reopenHandling(done, 100)).toMatchObject({ state: done, events: [], commands: [] });
    expect(typesOf(reopenHandling(done, 101))).toEqual(['thread.state_changed']);
    expect(typesOf(reopenHandling(handling(), 101))).toEqual([]);
  });
});
