import { expect, it } from '@jest/globals';
import { currentStep } from './tour.ts';

const party = { kind: 'party', leg_id: 'leg_2' } as const;

it.each([
  ['before the first call', undefined, 1],
  ['while it rings', { state: 'connected', heard: [{ kind: 'ringtone' }] } as const, 2],
  ['in a conversation', { state: 'connected', heard: [party] } as const, 3],
  ['while an assistant speaks', { state: 'connected', heard: [{ kind: 'voice', text: null }] } as const, 3],
  ['after a conversation', { state: 'ended', heard: [party] } as const, 3],
  ['after a voicemail', { state: 'ended', heard: [{ kind: 'beep' }] } as const, 3],
  ['after a call that nobody answered', { state: 'ended', heard: [] } as const, 1],
])('the tour shows its step %s', (_when, leg, step) => {
  expect(currentStep(leg)).toBe(step);
});
