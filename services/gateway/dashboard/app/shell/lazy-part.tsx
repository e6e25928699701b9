import { type ComponentType, lazy, type ReactNode, useState } from 'react';

const WAIT_MS = 1000;

/** A component whose code is loaded when it is rendered, or before. */
export interface LazyPart<Props> {
  (props: Props): ReactNode;
  /** Loads the code. A part that has been loaded renders at once: after a fallback React waits 300 ms before it shows the content. */
  readonly load: () => Promise<void>;
}

/** A part that is loaded when it is visited. While the server cannot be reached it is awaited: React would keep a failure until the next load of the page. */
export function lazyPart<Props extends object>(
  load: () => Promise<{ default: ComponentType<Props> }>,
): LazyPart<Props> {
  let loaded: ComponentType<Props> | undefined;
  const loadPersistently = async () => {
    const part = await persistently(load);
    loaded = part.default;
    return part;
  };
  const Later = lazy<ComponentType<Props>>(loadPersistently);
  function Part(props: Props): ReactNode {
    // What was rendered first stays: another component would begin with an empty state.
    const [Shown] = useState<ComponentType<Props>>(() => loaded ?? (Later as ComponentType<Props>));
    return <Shown {...props} />;
  }
  return Object.assign(Part, { load: async () => void (await loadPersistently()) });
}

async function persistently<Part>(load: () => Promise<Part>): Promise<Part> {
  for (;;) {
    try {
      return await load();
    } catch (error) {
      // A new version has other files.
      if (await isReachable()) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, WAIT_MS));
  }
}

async function isReachable(): Promise<boolean> {
  try {
    return (await fetch('/assets/icon.svg', { method: 'HEAD', cache: 'no-store' })).ok;
  } catch {
    return false;
  }
}
