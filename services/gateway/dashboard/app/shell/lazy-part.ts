import { type ComponentType, lazy } from 'react';

const WAIT_MS = 1000;

/** A part that is loaded when it is visited. While the server cannot be reached it is awaited: React would keep a failure until the next load of the page. */
export function lazyPart<Props>(load: () => Promise<{ default: ComponentType<Props> }>) {
  return lazy(async () => {
    for (;;) {
      try {
        return await load();
      } catch (error) {
        // A new version has other files.
        if (await isReachable()) throw error;
      }
      await new Promise((resolve) => setTimeout(resolve, WAIT_MS));
    }
  });
}

async function isReachable(): Promise<boolean> {
  try {
    return (await fetch('/assets/icon.svg', { method: 'HEAD', cache: 'no-store' })).ok;
  } catch {
    return false;
  }
}
