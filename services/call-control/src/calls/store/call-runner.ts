import type { Clock } from '@parley/clock';
import type { Call } from '../model/call.ts';
import type { CallInput } from '../model/call-input.ts';
import type { Calls } from './call-store.ts';
import { decideCall } from '../decide/decide-call.ts';
import { decideInputs } from '../decide/decide-inputs.ts';

/** A call by its company and id. */
export interface CallKey {
  readonly companyId: string;
  readonly id: string;
}

/** Applies inputs to calls. */
export interface CallRunner {
  /** The call afterwards; undefined when there is no such call. Throws `Refused` where the call refuses a command. */
  apply(key: CallKey, input: CallInput): Promise<Call | undefined>;
  /** The same for several inputs, with one write. */
  applyAll(key: CallKey, inputs: readonly CallInput[]): Promise<Call | undefined>;
}

export function callRunner(calls: Calls, clock: Clock): CallRunner {
  return {
    // Most events of a switch change nothing; those are not written.
    apply: ({ companyId, id }, input) =>
      calls.of(companyId).changeIfExists(id, (call) => decideCall(call, input, clock.now())),
    applyAll: ({ companyId, id }, inputs) =>
      calls.of(companyId).changeIfExists(id, (call) => decideInputs(call, inputs, clock.now())),
  };
}
