/** What a supervised process says to the one that started it. */
export type ChildMessage = { ready: true; pid?: number } | { failed: string };

/** Resolves when this process is asked to stop: by a signal, or by the end of the channel to whoever started it. */
export function untilStopRequested(): Promise<void> {
  return new Promise((resolve) => {
    const stop = () => resolve();
    process.on('SIGTERM', stop).on('SIGINT', stop).on('disconnect', stop);
  });
}

/** Tells whoever started this process that it serves; `pid` is the process that really does, where it is another one. */
export function reportReady(pid?: number): void {
  sendToParent(pid === undefined ? { ready: true } : { ready: true, pid });
}

/** Says in one line why this process cannot start, and ends it. */
export function failToStart(reason: string): void {
  if (!process.connected) {
    console.error(reason);
    process.exit(1);
  }
  sendToParent({ failed: reason }, () => process.exit(1));
}

function sendToParent(message: ChildMessage, onSent: () => void = () => {}): void {
  // Without a channel (started by hand) there is nobody to tell; a channel that just broke tells `disconnect`.
  if (process.connected) process.send?.(message, undefined, undefined, onSent);
}
