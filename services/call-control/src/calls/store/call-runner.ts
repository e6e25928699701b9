import type { Clock } from '@parley/clock';
import type { Call } from '../model/call.ts';
import type { CallInput } from '../model/call-input.ts';
import type { Calls } from './call-store.ts';
import type { CallDecision } from '../decide/call-draft.ts';
import { decideCall, decideInputs } from '../decide/decide-call.ts';

/** A call by its company and id. */
export interface CallKey {
  readonly companyId: string;
  readonly id: string;
}

/** Applies inputs to calls. */
export type CallRunner = ReturnType<typeof callRunner>;

export function callRunner(deps: {
  calls: Calls;
  clock: Clock;
  /** Called after every input to a call that has ended, so it may be called several times for a call. */
  onCallEnded: (call: Call) => void;
}) {
  const { calls, clock, onCallEnded } = deps;

  async function change({ companyId, id }: CallKey, decide: (call: Call) => CallDecision): Promise<Call | undefined> {
    // Most events of a switch change nothing; those are not written.
    const call = await calls.of(companyId).changeIfExists(id, decide);
    if (call?.state === 'ended') onCallEnded(call);
    return call;
  }

  return {
    /** The call afterwards; undefined when there is no such call. Throws `Refused` where the call refuses a command. */
    apply: (key: CallKey, input: CallInput) => change(key, (call) => decideCall(call, input, clock.now())),
    /** The same for several inputs, with one write. */
    applyAll: (key: CallKey, inputs: readonly CallInput[]) =>
      change(key, (call) => decideInputs(call, inputs, clock.now())),
  };
}
