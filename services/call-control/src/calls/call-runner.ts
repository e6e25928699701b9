import type { Clock } from '@parley/clock';
import type { Call } from './call.ts';
import type { CallInput } from './call-input.ts';
import type { Calls } from './call-store.ts';
import { decideCall } from './decide-call.ts';

/** A call by its company and id. */
export interface CallKey {
  readonly companyId: string;
  readonly id: string;
}

/** Tells calls what happened. */
export interface CallRunner {
  /** The call afterwards; undefined when there is no such call. Throws `Refused` where the call refuses a command. */
  tell(key: CallKey, input: CallInput): Promise<Call | undefined>;
}

export function callRunner(calls: Calls, clock: Clock): CallRunner {
  return {
    async tell({ companyId, id }, input) {
      const own = calls.of(companyId);
      const call = await own.get(id);
      if (!call) return undefined;
      const decide = (current: Call) => decideCall(current, input, clock.now());
      const decision = decide(call);
      // Most events of a switch change nothing; those are not written.
      if (decision.ok && decision.state === call && Object.keys(decision.timers).length === 0) return call;
      return own.changeFrom(call, decide);
    },
  };
}
