/** The messages of a supervised process to its parent. */
export type ChildMessage = { ready: true; pid?: number } | { failed: string };

/** Resolves when this process is asked to stop: by a signal, or by the end of the channel to its parent. */
export function untilStopRequested(): Promise<void> {
  return new Promise((resolve) => {
    const stop = () => resolve();
    process.on('SIGTERM', stop).on('SIGINT', stop).on('disconnect', stop);
  });
}

/** Reports to the parent that this process is ready; `pid` is the serving process, if it is another one. */
export function reportReady(pid?: number): void {
  sendToParent(pid === undefined ? { ready: true } : { ready: true, pid });
}

/** Reports in one line why this process cannot start, and exits. */
export function failToStart(reason: string): void {
  if (!process.connected) {
    console.error(reason);
    process.exit(1);
  }
  sendToParent({ failed: reason }, () => process.exit(1));
}

function sendToParent(message: ChildMessage, onSent: () => void = () => {}): void {
  // Without a channel (started manually) there is no parent; a broken channel emits `disconnect`.
  if (process.connected) process.send?.(message, undefined, undefined, onSent);
}
