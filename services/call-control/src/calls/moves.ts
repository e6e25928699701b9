import type { CallState } from './call.ts';

/**
 * The moves a call may make. `answered` also ends: a phone can be hung up between the answer and the bridge, and during
 * a warm transfer.
 */
const MOVES: Readonly<Record<CallState, readonly CallState[]>> = {
  initiated: ['queued', 'playing_audio', 'transferring', 'answered', 'ended'],
  queued: ['transferring', 'answered', 'playing_audio', 'ended'],
  transferring: ['queued', 'answered', 'playing_audio', 'ended'],
  answered: ['bridged', 'ended'],
  bridged: ['answered', 'transferring', 'ended'],
  playing_audio: ['recording', 'ended'],
  recording: ['ended'],
  ended: [],
};

export function mayMove(from: CallState, to: CallState): boolean {
  return MOVES[from].includes(to);
}
