import { expect, it } from '@jest/globals';
import type { ActionItem, TurnItem } from './session-item.ts';
import { settledItem } from './settled-item.ts';

const endedAt = new Date('2026-11-18T12:00:00Z');
const open = (action: string, result: string | null = null): ActionItem => ({
  type: 'action',
  action,
  arguments: {},
  target: null,
  result,
  startedAt: new Date('2026-11-18T11:59:00Z'),
  endedAt: null,
});

it.each([
  ['transfer_call', 'transferred', 'connected'],
  ['transfer_call', 'taken_over', 'failed'],
  ['transfer_call', 'abandoned', 'failed'],
  ['hand_over', 'fallback', 'handed_over'],
  ['end_call', 'resolved', 'ended'],
  ['send_text', 'abandoned', 'failed'],
] as const)('%s that is open when a session ends as %s has %s', (action, outcome, result) => {
  expect(settledItem({ outcome, endedAt }, open(action))).toMatchObject({ result, endedAt });
});

it('a result that is known stays, and so does everything else', () => {
  const known = open('transfer_call', 'declined');
  expect(settledItem({ outcome: 'transferred', endedAt }, known)).toBe(known);
  const key = { type: 'key', key: '5', at: endedAt } as const;
  expect(settledItem({ outcome: 'abandoned', endedAt }, key)).toBe(key);
});

it('a turn whose process ended while it was spoken was interrupted', () => {
  const turn: TurnItem = {
    type: 'turn',
    speaker: 'assistant',
    text: 'You can park behind the house.',
    spoken: '',
    interrupted: false,
    engine: 'embedded',
    sources: [],
    responseMs: 700,
    startedAt: new Date('2026-11-18T11:59:00Z'),
    endedAt: null,
  };
  const settled = { interrupted: true, spoken: '', endedAt: turn.startedAt };
  expect(settledItem({ outcome: 'resolved', endedAt }, turn)).toMatchObject(settled);
  const spoken = { ...turn, endedAt };
  expect(settledItem({ outcome: 'resolved', endedAt }, spoken)).toBe(spoken);
});
