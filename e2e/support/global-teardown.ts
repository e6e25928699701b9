import { checkDeliveredEvents } from './delivered-events.ts';

/** Whatever the tests were about, each event that they have caused must be as the documents say. */
export default async function globalTeardown(): Promise<void> {
  const stack = globalThis.parleyStack;
  try {
    if (stack) await checkDeliveredEvents(stack.local);
  } finally {
    await stack?.stop();
    await globalThis.parleyStackServers?.stop();
  }
}

// Jest loads this file with `require`.
export { globalTeardown as 'module.exports' };
