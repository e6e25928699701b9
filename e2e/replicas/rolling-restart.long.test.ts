import { describe, expect, it } from '@jest/globals';
import { startReplicatedStack } from '../support/replicated-stack.ts';
import { underStress } from '../support/stress.ts';
import { startMixedLoad } from './mixed-load.ts';

const PER_SECOND = 50;

// Two minutes on a machine that does nothing else: `npm run stress -- rolling-restart`.
const describeStressed = underStress(describe.skip, describe);

describeStressed('a restart of every service in turn, one replica after the other', () => {
  it(`a restart of every service in turn, one replica after the other fails none of ${PER_SECOND} requests a second`, async () => {
    const stack = await startReplicatedStack();
    try {
      const load = await startMixedLoad(stack, PER_SECOND);
      for (const service of stack.services) await stack.restart(service);
      const { total, failures } = await load.stop();
      expect(failures).toEqual([]);
      expect(total).toBeGreaterThan(1000);
    } finally {
      await stack.stop();
    }
  }, 900_000);
});
