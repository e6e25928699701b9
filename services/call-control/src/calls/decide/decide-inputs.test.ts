import { describe, expect, it } from '@jest/globals';
import type { Due } from '@parley/errors';
import type { CallTimer } from '../model/call-command.ts';
import type { CallInput } from '../model/call-input.ts';
import { decideInputs } from './decide-call.ts';
import { ada, inbound, prompt, type TestCall, transfer } from '../../../test/test-call.ts';

/** The same inputs one by one, and all at once. */
function bothWays(begin: () => TestCall, inputs: (test: TestCall) => readonly CallInput[]) {
  const [oneByOne, together] = [begin(), begin()];
  for (const input of inputs(oneByOne)) oneByOne.apply(input);
  const decision = decideInputs(together.call, inputs(together), together.now);
  if (!decision.ok) throw new Error(decision.refusal.code);
  return { oneByOne, decision };
}

function ringing(): TestCall & { adaLeg: string } {
  const test = inbound(transfer(ada));
  return Object.assign(test, { adaLeg: test.ring(ada) });
}

describe('inputs that are decided together', () => {
  it.each([
    [
      'the answer of a phone and its park',
      ringing,
      (test: TestCall) => {
        const { adaLeg: legId } = test as TestCall & { adaLeg: string };
        return [
          { type: 'leg_answered', legId },
          { type: 'leg_parked', legId, arrival: null },
        ] as const;
      },
    ],
    [
      'the end of a message and of the call',
      () => inbound({ type: 'message', prompt: prompt('closed') }),
      ({ call }: TestCall) => {
        const { customerLegId: legId, phase } = call;
        const playId = 'playId' in phase ? phase.playId : '';
        return [
          { type: 'leg_answered', legId },
          { type: 'playback_finished', legId, playId, played: true },
          { type: 'leg_ended', legId, cause: 'NORMAL_CLEARING' },
        ] as const;
      },
    ],
  ] as [string, () => TestCall, (test: TestCall) => readonly CallInput[]][])(
    'inputs that are decided together lead to the same as one by one: %s',
    (_what, begin, inputs) => {
      const { oneByOne, decision } = bothWays(begin, inputs);
      const seen = begin();
      expect(decision.state).toEqual(oneByOne.call);
      expect(decision.events).toEqual(oneByOne.events.slice(seen.events.length));
      const stepsOf = (commands: typeof decision.commands) =>
        commands.flatMap((command): unknown[] => (command.kind === 'control' ? [...command.steps] : [command]));
      expect(stepsOf(decision.commands)).toEqual(stepsOf(oneByOne.commands.slice(seen.commands.length)));
      const timers = new Map(seen.timers);
      for (const [name, due] of Object.entries(decision.timers) as [CallTimer, Due | null][])
        if (due) timers.set(name, due.at);
        else timers.delete(name);
      expect(timers).toEqual(oneByOne.timers);
    },
  );

  it('inputs that are decided together change nothing when none of them does', () => {
    const { call, now } = ringing();
    const unknown = { type: 'leg_answered', legId: 'leg-of-nobody' } as const;
    expect(decideInputs(call, [unknown, unknown], now)).toMatchObject({ state: call, events: [], commands: [] });
    const decision = decideInputs(call, [unknown, unknown], now);
    expect(decision.ok && decision.state).toBe(call);
  });
});
