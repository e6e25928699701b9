import { expect, it } from '@jest/globals';
import { conversationState } from './conversation-state.ts';

const entriesOf = (...whats: string[]) => whats.map((what) => ({ type: 'recording', what }));
const call = { on_hold: false, recording_paused: false };

it('a conversation is on hold and paused as the call says, whatever was ordered', () => {
  expect(conversationState(undefined, undefined)).toEqual({ isHeld: false, isRecorded: false, isPaused: false });
  expect(conversationState({ on_hold: true, recording_paused: true }, [])).toMatchObject({
    isHeld: true,
    isPaused: true,
  });
  const ordered = [{ type: 'hold', what: 'held' }, ...entriesOf('recording_ordered', 'recording_paused')];
  expect(conversationState(call, ordered)).toEqual({ isHeld: false, isRecorded: true, isPaused: false });
});

it.each([
  [[], false],
  [['recording_ordered'], true],
  [['recording_ordered', 'recording_stopped'], false],
  [['recording_not_announced'], false],
])('after %j the conversation is recorded: %j', (whats, isRecorded) => {
  expect(conversationState(call, entriesOf(...whats)).isRecorded).toBe(isRecorded);
});
