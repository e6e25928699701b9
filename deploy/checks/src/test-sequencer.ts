import { createRequire } from 'node:module';
import path from 'node:path';
import type sequencer from '@jest/test-sequencer';
import { root } from './root.ts';

// Its types describe the module that `require` returns.
const { default: Sequencer } = createRequire(import.meta.url)('@jest/test-sequencer') as typeof sequencer;
type Test = Parameters<InstanceType<typeof Sequencer>['sort']>[0][number];

/** The test files that take longest, with their seconds on a machine with two processors. */
export const SLOWEST_TEST_FILES: Readonly<Record<string, number>> = {
  'e2e/clock-and-faults/clock-and-faults.test.ts': 240,
  'e2e/assistants/content.spoken.test.ts': 80,
  'e2e/assistants/transfers.spoken.test.ts': 80,
  'e2e/dashboard/assistant-calls.spoken.test.ts': 80,
  'deploy/local/test/npm-start.test.ts': 115,
  'services/speech/test/recognition.service.test.ts': 110,
  'services/speech/test/speaking-and-listening.service.test.ts': 95,
  'e2e/browser-phones/browser-phones.test.ts': 85,
  'deploy/local/src/stack.int.test.ts': 75,
  'e2e/hostile-ports/hostile-ports.test.ts': 70,
  'e2e/replicas/replicas.test.ts': 65,
  'e2e/roles/roles.test.ts': 55,
  'e2e/dashboard/phone.test.ts': 55,
  'e2e/privacy/erasure.test.ts': 55,
  'e2e/dashboard/settings.test.ts': 45,
  'services/reports/test/call-reports.service.test.ts': 45,
  'deploy/local/src/alone/start-alone.int.test.ts': 45,
  'deploy/checks/src/manifests/manifests.test.ts': 35,
  'e2e/dashboard/inbox.test.ts': 35,
};

/**
 * Starts the longest test files first, so that no process works on one of them alone at the end. Jest does so only with
 * the durations of an earlier run; in a new clone it starts the largest files first.
 */
export class LongestFirst extends Sequencer {
  override async sort(tests: Test[]): Promise<Test[]> {
    const secondsOf = (test: Test) => SLOWEST_TEST_FILES[path.relative(root, test.path)] ?? 0;
    return (await super.sort(tests)).toSorted((one, other) => secondsOf(other) - secondsOf(one));
  }
}

// Jest loads this file with `require`.
export { LongestFirst as 'module.exports' };
