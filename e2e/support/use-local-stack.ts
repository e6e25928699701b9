import { afterAll, beforeAll } from '@jest/globals';
import { type LocalStack, type StackOptions, startLocalStack } from './local-stack.ts';
import { warmUp } from './warm-up.ts';

/** A stack for the tests of one file, started before the first and stopped after the last: tests and hooks can use it. */
export function useLocalStack(options: StackOptions = {}): LocalStack {
  let started: LocalStack | undefined;
  const stack = () => {
    if (!started) throw new Error('the stack is used before it has been started');
    return started;
  };
  beforeAll(async () => {
    started = await startLocalStack(options);
    await warmUp(started.local);
  }, 400_000);
  afterAll(() => started?.stop());
  return {
    get local() {
      return stack().local;
    },
    get dataDir() {
      return stack().dataDir;
    },
    get process() {
      return stack().process;
    },
    stop: (keep) => stack().stop(keep),
  };
}
