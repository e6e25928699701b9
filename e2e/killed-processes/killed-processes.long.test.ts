import { afterAll, describe } from '@jest/globals';
import { sandbox } from '../support/api.ts';
import { healthy } from '../support/kill-processes.ts';
import type { LocalStack } from '../support/local-stack.ts';
import { useLocalStack } from '../support/use-local-stack.ts';
import { testAnyProcess } from './any-process.ts';
import { testCalls } from './calls.ts';
import { testDeactivations } from './deactivations.ts';
import { testHangingIdentity } from './hanging-identity.ts';
import { testInterruptedText } from './interrupted-text.ts';
import { testListening } from './listening.ts';
import { testOpenPage } from './open-page.ts';
import { testPresence } from './presence.ts';

/**
 * Kills and suspends processes of one stack with a process for each service. The tests run one after the other, and each
 * leaves all services healthy and the clock at real time.
 */
const stack = useLocalStack({ environment: { PARLEY_PROCESSES: 'separate' } });

const tests: Record<string, (stack: LocalStack) => void> = {
  'identity that hangs for 15 s while credentials are revoked and used': testHangingIdentity,
  'kill -9 of a service, and a broker that hangs, while employees are deactivated': testDeactivations,
  'kill -9 of call-control during calls': testCalls,
  'kill -9 of a service with the presence of employees': testPresence,
  'kill -9 of the gateway under an open page of the dashboard': testOpenPage,
  'kill -9 of messaging-inbox between storing a text and the answer of the provider': testInterruptedText,
  'kill -9 of the gateway and of webhooks while the command line forwards events': testListening,
  'kill -9 of any process while contacts and settings are changed and texts are sent': testAnyProcess,
};

for (const [name, define] of Object.entries(tests))
  describe(name, () => {
    define(stack);
    afterAll(async () => {
      await healthy(stack);
      await sandbox(stack.local, 'DELETE', '/clock');
    }, 300_000);
  });
