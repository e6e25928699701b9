import type { CallState } from './call.ts';

/**
 * The allowed transitions of a call. `answered` also ends: a phone can be hung up between the answer and the bridge, and during
 * a warm transfer.
 */
const TRANSITIONS: Readonly<Record<CallState, readonly CallState[]>> = {
  initiated: ['queued', 'playing_audio', 'transferring', 'answered', 'ended'],
  queued: ['transferring', 'answered', 'playing_audio', 'ended'],
  transferring: ['queued', 'answered', 'playing_audio', 'ended'],
  answered: ['bridged', 'ended'],
  bridged: ['answered', 'transferring', 'ended'],
  playing_audio: ['recording', 'ended'],
  recording: ['ended'],
  ended: [],
};

/** The states of a call that is in progress. */
export const OPEN_STATES = (Object.keys(TRANSITIONS) as CallState[]).filter((state) => TRANSITIONS[state].length > 0);

export function isTransitionAllowed(from: CallState, to: CallState): boolean {
  return TRANSITIONS[from].includes(to);
}
