import { kill } from 'node:process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { waitUntil } from '@parley/testkit/wait-until';
import WebSocket from 'ws';

export type FunctionRuns = ReadonlyMap<string, ReadonlyMap<number, number>>;

export interface Coverage {
  /** How often each function of our files ran since the last time; by file, then by the function's place in it. */
  take(): Promise<FunctionRuns>;
  close(): void;
}

interface ScriptCoverage {
  readonly url: string;
  readonly functions: readonly { functionName: string; ranges: readonly { count: number; startOffset: number }[] }[];
}

const ROOT = path.resolve(import.meta.dirname, '../..');
/** Where Node.js opens its inspector at SIGUSR1. */
const INSPECTOR = 'http://127.0.0.1:9229/json/list';

/** Counts the functions that another Node.js process executes, by its inspector. */
export async function recordCoverage(pid: number): Promise<Coverage> {
  kill(pid, 'SIGUSR1');
  const list = await waitUntil(
    () =>
      fetch(INSPECTOR)
        .then((response) => response.json())
        .catch(() => undefined),
    {
      what: 'the inspector',
    },
  );
  const socket = new WebSocket((list as { webSocketDebuggerUrl: string }[])[0]!.webSocketDebuggerUrl, {
    maxPayload: 2 ** 30,
  });
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
  let last = 0;
  const request = (method: string, params: object = {}) =>
    new Promise<{ result: readonly ScriptCoverage[] }>((resolve) => {
      const id = (last += 1);
      socket.on('message', function onMessage(data) {
        const response = JSON.parse(String(data));
        if (response.id !== id) return;
        socket.off('message', onMessage);
        resolve(response.result);
      });
      socket.send(JSON.stringify({ id, method, params }));
    });
  await request('Profiler.enable');
  await request('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  return {
    async take() {
      const { result } = await request('Profiler.takePreciseCoverage');
      return new Map(result.flatMap((script) => ourFile(script.url).map((file) => [file, runsOf(script)] as const)));
    },
    close: () => socket.terminate(),
  };
}

/** The function at the beginning of a script is its module, which runs when it is loaded. */
function runsOf({ functions }: ScriptCoverage): Map<number, number> {
  const runs = functions.map(({ ranges: [whole] }) => [whole!.startOffset, whole!.count] as const);
  return new Map(runs.filter(([place]) => place > 0));
}

function ourFile(url: string): string[] {
  if (!url.startsWith('file:')) return [];
  const file = path.relative(ROOT, fileURLToPath(url));
  return /^(services|libs)\//.test(file) && !file.includes('node_modules') ? [file] : [];
}
