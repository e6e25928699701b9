import { waitUntil } from '../utilities/wait-until.ts';

/** A server of one test alone, to be broken at will. */
export interface OwnServer {
  /** Starts it again, at the same address, with what its disk still holds. */
  start(): Promise<void>;
  stop(): Promise<void>;
  /** Ends it as a power cut would (SIGKILL); it stays down. */
  kill(): Promise<void>;
  /** Stops it and empties its disk; it stays down. */
  wipe(): Promise<void>;
  /** Stops it and removes everything. */
  close(): Promise<void>;
}

interface Running {
  readonly pid: number | undefined;
  stop(): Promise<void>;
}

/** Starts a server that can be broken. `launch` starts it; `wipe` empties its disk. */
export async function breakable(
  launch: () => Promise<Running>,
  disk: { wipe(): Promise<void>; remove(): Promise<void> },
): Promise<OwnServer> {
  let running: Running | undefined = await launch();
  const stop = async () => {
    await running?.stop();
    running = undefined;
  };
  return {
    async start() {
      running ??= await launch();
    },
    stop,
    async kill() {
      const pid = running?.pid;
      if (pid === undefined) return;
      process.kill(pid, 'SIGKILL');
      await waitUntil(() => !isAlive(pid), { what: `the end of process ${pid}` });
      await stop();
    },
    async wipe() {
      await stop();
      await disk.wipe();
    },
    async close() {
      await stop();
      await disk.remove();
    },
  };
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
