import { afterAll, describe } from '@jest/globals';
import { clearFaults, resetClock } from '../support/api.ts';
import type { LocalStack } from '../support/local-stack.ts';
import { useLocalStack } from '../support/use-local-stack.ts';
import { testAssistants } from './assistants.ts';
import { testBusinessNumbers } from './business-numbers.ts';
import { testCallerContext } from './caller-context.ts';
import { testCallLimits } from './call-limits.ts';
import { testCalls } from './calls.ts';
import { testDoNotDisturb } from './do-not-disturb.ts';
import { testRetention } from './retention.ts';
import { testSwitch } from './switch.ts';
import { testTextProvider } from './text-provider.ts';
import { testTexts } from './texts.ts';
import { testVoicePreviews } from './voice-previews.ts';
import { testWebhookDeliveries } from './webhook-deliveries.ts';

/**
 * Tests that move the clock or break simulated external systems, which affects every company of a stack. They run one
 * after the other, and each leaves the clock at real time and nothing broken.
 */
const stack = useLocalStack();

const tests: Record<string, (stack: LocalStack) => void> = {
  'caller context': testCallerContext,
  'a switch': testSwitch,
  calls: testCalls,
  'limits of calls': testCallLimits,
  assistants: testAssistants,
  'a webhook whose receiver fails': testWebhookDeliveries,
  'business numbers': testBusinessNumbers,
  texts: testTexts,
  'when the provider of texts': testTextProvider,
  'voice previews': testVoicePreviews,
  'do-not-disturb': testDoNotDisturb,
  retention: testRetention,
};

for (const [name, define] of Object.entries(tests))
  describe(name, () => {
    define(stack);
    afterAll(async () => {
      await clearFaults(stack.local);
      await resetClock(stack.local);
    });
  });
