import { expect, it } from '@jest/globals';
import { conversationState } from './conversation-state.ts';

const state = (...entries: string[]) =>
  conversationState(entries.map((entry) => ({ type: entry.split(' ')[0]!, what: entry.split(' ')[1]! })));

it.each([
  [[], { isHeld: false, isRecorded: false, isPaused: false }],
  [['hold held'], { isHeld: true }],
  [['hold held', 'hold resumed'], { isHeld: false }],
  [['hold resumed', 'hold held', 'transfer ringing'], { isHeld: true }],
  [['recording recording_ordered'], { isRecorded: true, isPaused: false }],
  [['recording recording_ordered', 'recording recording_paused'], { isRecorded: true, isPaused: true }],
  [['recording recording_paused', 'recording recording_resumed'], { isPaused: false }],
  [['recording recording_ordered', 'recording recording_stopped'], { isRecorded: false }],
])('after %j the conversation is %j', (entries, expected) => {
  expect(state(...entries)).toMatchObject(expected);
});
