import { decided } from '@parley/errors';
import type { Call, CallEvent } from '../model/call.ts';
import { type CallCommand, type CallTimer, withCommand } from '../model/call-command.ts';
import type { CallDecision } from './call-draft.ts';
import type { CallInput } from '../model/call-input.ts';
import { decideCall } from './decide-call.ts';

type Timers = Extract<CallDecision, { ok: true }>['timers'];

/** The decision on several inputs at once: each is decided on the result of the previous one. */
export function decideInputs(call: Call, inputs: readonly CallInput[], now: Date): CallDecision {
  const [first] = inputs;
  if (first && inputs.length === 1) return decideCall(call, first, now);
  let state = call;
  const events: CallEvent[] = [];
  let commands: readonly CallCommand[] = [];
  let timers: Timers = {};
  for (const input of inputs) {
    const decision = decideCall(state, input, now);
    // A command of an employee that is refused changes nothing for the others.
    if (!decision.ok) continue;
    state = decision.state;
    events.push(...decision.events);
    commands = decision.commands.reduce(withCommand, commands);
    timers = { ...timers, ...decision.timers };
  }
  return decided<Call, CallEvent, CallCommand, CallTimer>(state, events, { commands, timers });
}
