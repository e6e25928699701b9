import { expect, it } from '@jest/globals';
import type { ActionItem } from './session-item.ts';
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
