import type { Call } from '../model/call.ts';
import type { CallRunner } from './call-runner.ts';

/** The same runner; `onEnded` is called for a call that has ended when an input was applied to it, perhaps several times. */
export function noteEnds(runner: CallRunner, onEnded: (call: Call) => void): CallRunner {
  const noted = async (applied: Promise<Call | undefined>) => {
    const call = await applied;
    if (call?.state === 'ended') onEnded(call);
    return call;
  };
  return {
    apply: (key, input) => noted(runner.apply(key, input)),
    applyAll: (key, inputs) => noted(runner.applyAll(key, inputs)),
  };
}
