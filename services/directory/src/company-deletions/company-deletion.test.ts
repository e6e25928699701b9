import { describe, expect, it } from '@jest/globals';
import { deletionIdOf, recordDeletion, requestDeletion } from './company-deletion.ts';

const now = new Date('2026-03-02T10:00:00Z');
const company = { id: 'com_1', name: 'Acme' };

function requested() {
  const decision = requestDeletion(undefined, company, ['call-control', 'directory'], now);
  if (!decision.ok) throw new Error('refused');
  return decision;
}

describe('the deletion of a company', () => {
  it('the deletion of a company is one, however often it is requested, and recorded in the audit log', () => {
    const { state, events, commands } = requested();
    expect(state).toMatchObject({ id: deletionIdOf('com_1'), state: 'running', doneAt: null });
    expect(events).toMatchObject([{ audit: { type: 'company.deletion_requested', object: { id: 'com_1' } } }]);
    expect(commands).toEqual([{ kind: 'erase' }]);
    expect(requestDeletion(state, company, ['reports'], now)).toMatchObject({ state, events: [], commands: [] });
  });

  it('the deletion of a company removes a portion at a time, one service after the other, and stays as a receipt', () => {
    const portion = (removed: number, isDone: boolean) => ({ removed, position: 'calls/7', isDone, isWaiting: false });
    const first = recordDeletion(requested().state, portion(20, false), now);
    if (!first.ok) throw new Error('refused');
    expect(first).toMatchObject({ state: { parts: [{ removed: 20, position: 'calls/7' }, { removed: 0 }] } });
    expect(first.commands).toHaveLength(1);
    const second = recordDeletion(first.state, portion(1, true), now);
    if (!second.ok) throw new Error('refused');
    expect(second).toMatchObject({ state: { state: 'running', parts: [{ removed: 21, state: 'done' }, {}] } });
    expect(recordDeletion(second.state, portion(2, true), now)).toMatchObject({
      state: { state: 'done', doneAt: now, parts: [{ removed: 21 }, { removed: 2, state: 'done' }] },
      commands: [],
    });
  });
});
