import { expect, it } from '@jest/globals';
import { useLocalStack } from '../support/use-local-stack.ts';
import { runKit } from './run-kit.ts';

const stack = useLocalStack();
/** What the kit promises for all checks. */
const CHECKS_LIMIT_MS = 600_000;

it('all checks of the conformance kit hold, within ten minutes', async () => {
  const started = performance.now();
  const { status, out } = await runKit(stack.local);
  expect(out).not.toMatch(/FAILED|not cleaned up/);
  expect(status).toBe(0);
  expect(performance.now() - started).toBeLessThan(CHECKS_LIMIT_MS);
}, 900_000);

it('all mutations of the conformance kit are found', async () => {
  const { status, out } = await runKit(stack.local, '--mutations');
  expect(out).not.toMatch(/FAILED|NOT FOUND/);
  expect(status).toBe(0);
}, 1_800_000);
