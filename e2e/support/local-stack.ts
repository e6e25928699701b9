import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { freePort } from '@parley/embedded';

/** The content of `local.json`. */
export interface LocalJson {
  readonly base_url: string;
  readonly operator_url: string;
  readonly operator_token: string;
  readonly sandbox_url: string;
  /** With PARLEY_METRICS_PORT: the address by the name of the process. */
  readonly metrics?: Readonly<Record<string, string>>;
  /** With PARLEY_REPLICAS: by the name of the process, `gateway` and `gateway@2`. */
  readonly replicas?: Readonly<Record<string, { health_url: string; public_url?: string }>>;
}

/** A stack started like `npm start`, in a separate folder. */
export interface LocalStack {
  readonly local: LocalJson;
  readonly dataDir: string;
  readonly process: ChildProcess;
  /** Stops it like Ctrl-C; with `keep` its data stays for another start. */
  stop(keep?: 'keep'): Promise<void>;
}

const launcher = path.resolve(import.meta.dirname, '../../deploy/local/src/main.ts');
/** Ends a start that hangs; on a busy machine a good one may take a minute. */
const READY_WITHIN_MS = 240_000;

export interface StackOptions {
  readonly dataDir?: string;
  readonly port?: number;
  readonly environment?: Record<string, string>;
}

export async function startLocalStack(options: StackOptions = {}): Promise<LocalStack> {
  const dataDir = options.dataDir ?? (await mkdtemp(path.join(tmpdir(), 'parley-e2e-')));
  const child = spawn(process.execPath, [launcher], {
    env: {
      ...process.env,
      PARLEY_SEED: 'none',
      PARLEY_PORT: String(options.port ?? (await freePort(4))),
      PARLEY_DATA_DIR: dataDir,
      ...options.environment,
    },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  await ready(child);
  const local = JSON.parse(await readFile(path.join(dataDir, 'local.json'), 'utf8')) as LocalJson;
  return {
    local,
    dataDir,
    process: child,
    async stop(keep) {
      if (child.exitCode === null && child.signalCode === null) {
        const gone = new Promise((resolve) => child.once('exit', resolve));
        child.kill('SIGTERM');
        await gone;
      }
      if (keep !== 'keep') await rm(dataDir, { recursive: true, force: true });
    },
  };
}

function ready(child: ChildProcess): Promise<void> {
  let output = '';
  return new Promise((resolve, reject) => {
    const settle = (done: () => void) => {
      clearTimeout(limit);
      child.off('exit', ended);
      done();
    };
    const ended = (code: number | null) => settle(() => reject(new Error(`the stack ended with ${code}:\n${output}`)));
    const limit = setTimeout(() => {
      child.kill('SIGTERM');
      settle(() => reject(new Error(`the stack was not ready in time:\n${output}`)));
    }, READY_WITHIN_MS);
    child.once('exit', ended);
    const read = (chunk: Buffer) => {
      output += chunk.toString();
      if (/^ready/m.test(output)) settle(resolve);
    };
    child.stdout?.on('data', read);
    child.stderr?.on('data', read);
  });
}
