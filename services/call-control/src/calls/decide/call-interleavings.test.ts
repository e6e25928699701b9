import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Interleaving } from '../../../test/test-interleaving.ts';

describe('interleavings of commands, reports and hang-ups', () => {
  it('interleavings of commands, reports and hang-ups leave every transfer with one outcome, never two open, no state outside the table, and the call as the switch has it', () => {
    const reached = new Set<string>();
    const phases = new Set<string>();
    fc.assert(
      fc.property(fc.array(fc.nat(1_000_000), { minLength: 5, maxLength: 40 }), (choices) => {
        const run = new Interleaving();
        for (const choice of choices) {
          run.step(choice);
          phases.add(run.test.call.phase.kind);
        }
        run.settle();
        phases.add(run.test.call.phase.kind);
        for (const [, state] of run.states) reached.add(state);
        if (run.strays().length > 0) throw new Error('a leg was left behind');
        const difference = run.difference();
        if (difference !== undefined) throw new Error(difference);
      }),
      { numRuns: 15_000 },
    );
    expect([...reached].toSorted()).toEqual(['cancelled', 'completed', 'consulting', 'failed', 'ringing']);
    const passedOn = ['blind_transfer', 'returning', 'talking', 'waiting'];
    expect([...phases].toSorted()).toEqual(expect.arrayContaining(passedOn));
  }, 300_000);
});
