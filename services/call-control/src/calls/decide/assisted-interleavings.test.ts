import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { AssistedInterleaving } from '../../../test/test-assisted-interleaving.ts';
import { ada, bob, rejection, transfer, voicemail } from '../../../test/test-call.ts';
import type { StepFlow } from '../model/call-flow.ts';

const fallbacks: readonly [string, StepFlow][] = [
  ['employees', transfer(ada, bob) as StepFlow],
  ['a voicemail', voicemail],
  ['a message', rejection],
  ['a phone outside', { type: 'forward', phoneNumber: '+4540506070', timeoutSecs: 20, confirm: true }],
];

describe.each(fallbacks)('any interleaving of a call with an assistant, with %s as its fallback', (_, fallback) => {
  it('any interleaving of a call with an assistant drops no caller, ends every leg and the session once, and tells the session what is true', () => {
    const seen = new Set<string>();
    fc.assert(
      fc.property(
        fc.array(fc.nat(1_000_000), { minLength: 20, maxLength: 120, size: 'max' }),
        fc.boolean(),
        fc.integer({ min: 0, max: 5 }),
        (choices, isAnnounced, start) => {
          const run = new AssistedInterleaving(fallback, { isAnnounced, isConnected: start > 0 });
          for (const choice of choices) {
            run.step(choice);
            const { phase } = run.test.call;
            seen.add(phase.kind === 'assisted' ? phase.stage.kind : phase.kind);
          }
          run.settle();
          const difference = run.difference();
          if (difference !== undefined) throw new Error(difference);
          run.finish();
          const after = run.difference();
          if (after !== undefined) throw new Error(`${after} after a while`);
          run.checkEnd();
          for (const update of run.told) seen.add(update.kind === 'transfer_ended' ? update.result : update.kind);
          seen.add(run.test.call.assistant?.outcome ?? 'none');
        },
      ),
      { numRuns: 600 },
    );
    expect([...seen].toSorted()).toEqual(
      expect.arrayContaining([
        'abandoned',
        'callback_requested',
        'connected',
        'declined',
        'ended',
        'failed',
        'fallback',
        'handing_over',
        'leaving',
        'message_taken',
        'no_answer',
        'resolved',
        'taken_over',
        'takeover_requested',
        'talking',
        'transfer_answered',
        'transferred',
        'transferring',
        'unavailable',
        'whispering',
      ]),
    );
  }, 300_000);
});
