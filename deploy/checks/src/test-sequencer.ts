import { createRequire } from 'node:module';
import path from 'node:path';
import type sequencer from '@jest/test-sequencer';
import { root } from './root.ts';

// Its types describe the module that `require` returns.
const { default: Sequencer } = createRequire(import.meta.url)('@jest/test-sequencer') as typeof sequencer;
type Test = Parameters<InstanceType<typeof Sequencer>['sort']>[0][number];

/**
 * The test files that take longest, with their seconds on a machine with two processors; also one whose cases are in other files, since
 * small files are started last.
 */
export const SLOWEST_TEST_FILES: Readonly<Record<string, number>> = {
  'e2e/hostile-ports/hostile-ports.test.ts': 85,
  'e2e/roles/roles.test.ts': 75,
  'deploy/local/src/stack.int.test.ts': 55,
  'e2e/cli/trigger.test.ts': 60,
  'e2e/cli/requests.test.ts': 55,
  'e2e/dashboard/numbers.test.ts': 55,
  'e2e/dashboard/phone.test.ts': 55,
  'services/assistant/test/session-ends.service.test.ts': 50,
  'e2e/guides/guides.test.ts': 50,
  'e2e/dashboard/assistants.test.ts': 45,
  'e2e/cli/listen.test.ts': 45,
  'e2e/cli/sign-in.test.ts': 45,
  'deploy/checks/src/manifests/manifests.test.ts': 40,
  'services/speech/test/hostile-streams.service.test.ts': 40,
  'e2e/calls/routing.test.ts': 40,
  'e2e/dashboard/settings.test.ts': 40,
  'services/reports/test/call-reports.service.test.ts': 40,
  'services/messaging-inbox/src/message-search/message-search-store.int.test.ts': 35,
  'services/speech/test/robustness.service.test.ts': 30,
  'e2e/telemetry/telemetry.test.ts': 30,
  'e2e/guides/moved-clock.test.ts': 30,
  'e2e/privacy/erasure.test.ts': 30,
  'services/webhooks/test/soak/soak.test.ts': 15,
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
