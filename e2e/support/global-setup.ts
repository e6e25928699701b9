import { type Servers, startTestServers } from '@parley/testkit';
import { type LocalStack, startLocalStack } from './local-stack.ts';
import { warmUp } from './warm-up.ts';

declare global {
  var parleyStack: LocalStack | undefined;
  var parleyStackServers: Servers | undefined;
}

/** One stack for all end-to-end tests: each creates its own companies, which are isolated. */
export default async function globalSetup(): Promise<void> {
  // The stack embeds its servers by itself.
  if (process.env['PARLEY_TEST_ENGINES'] === 'containers') globalThis.parleyStackServers = await startTestServers();
  const { mongoUrl: MONGODB_URL, natsUrl: NATS_URL } = globalThis.parleyStackServers ?? {};
  globalThis.parleyStack = await startLocalStack({
    environment: MONGODB_URL && NATS_URL ? { MONGODB_URL, NATS_URL } : {},
  });
  try {
    await warmUp(globalThis.parleyStack.local);
  } catch (error) {
    // Jest runs no teardown after a setup that failed.
    await globalThis.parleyStack.stop();
    throw error;
  }
  process.env['PARLEY_E2E_STACK'] = JSON.stringify(globalThis.parleyStack.local);
  process.env['PARLEY_E2E_DATA_DIR'] = globalThis.parleyStack.dataDir;
}

// Jest loads this file with `require`.
export { globalSetup as 'module.exports' };
