import { type LocalStack, startLocalStack } from './local-stack.ts';

declare global {
  var parleyStack: LocalStack | undefined;
}

/** One stack for all stories: each founds companies of its own, and companies do not meet. */
export default async function globalSetup(): Promise<void> {
  globalThis.parleyStack = await startLocalStack();
  process.env['PARLEY_E2E_STACK'] = JSON.stringify(globalThis.parleyStack.local);
}
