import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, realpath, rename, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** The data directory of a stack. */
export interface DataDir {
  readonly path: string;
  /** A folder for unix sockets that only this user can enter; they need a shorter path than `path` may be. */
  readonly socketDir: string;
  /** The previous stack was killed, so some of its processes may still be ending. */
  readonly afterKill: boolean;
  /** The JSON of a file, or undefined when there is none. */
  read<T>(file: string): Promise<T | undefined>;
  /** Replaces a file atomically, readable for its owner only. */
  write(file: string, content: unknown): Promise<void>;
  remove(file: string): Promise<void>;
  /** Releases the data directory for the next stack. */
  release(): Promise<void>;
}

/** Names the folder of the running stack's sockets; a remaining folder means that the stack was killed. */
const SOCKETS_FILE = 'sockets.json';

/** Creates the data directory if it is missing and keeps every other stack out of it. */
export async function openDataDir(directory: string): Promise<DataDir> {
  const file = (name: string) => path.join(directory, name);
  const write = async (name: string, content: unknown) => {
    const draft = file(`.${name}.new`);
    await writeFile(draft, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600, flush: true });
    await rename(draft, file(name));
  };
  try {
    await makeDirectory(directory);
    await write('writable.json', {});
    await rm(file('writable.json'));
  } catch (error) {
    throw new Error(`the data directory ${directory} cannot be written: ${(error as Error).message}`, { cause: error });
  }
  const unlock = await lock(directory);
  const read = async <T>(name: string) => readJson<T>(file(name));

  const left = await read<{ path: string }>(SOCKETS_FILE);
  if (left) await rm(left.path, { recursive: true, force: true });
  const socketDir = await mkdtemp(path.join(tmpdir(), 'parley-'));
  await write(SOCKETS_FILE, { path: socketDir });
  return {
    path: directory,
    socketDir,
    afterKill: left !== undefined,
    read,
    write,
    remove: (name) => rm(file(name), { force: true }),
    async release() {
      await rm(socketDir, { recursive: true, force: true });
      await rm(file(SOCKETS_FILE), { force: true });
      await unlock();
    },
  };
}

/** Node's own `recursive` never ends where a parent exists but can hold nothing, as in /proc. */
async function makeDirectory(directory: string): Promise<void> {
  try {
    await mkdir(directory, { mode: 0o700 });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') return;
    const parent = path.dirname(directory);
    if (code !== 'ENOENT' || existsSync(parent)) throw error;
    await makeDirectory(parent);
    await mkdir(directory, { mode: 0o700 });
  }
}

async function readJson<T>(file: string): Promise<T | undefined> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as T;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new Error(`${file} cannot be read: ${(error as Error).message}`, { cause: error });
  }
}

/**
 * A socket in Linux's abstract namespace: it ends with its process, however that ends, so no lock is ever left behind.
 */
async function lock(directory: string): Promise<() => Promise<void>> {
  const key = createHash('sha256')
    .update(await realpath(directory))
    .digest('hex');
  const server = createServer((socket) => socket.destroy());
  server.listen(`\0parley-${key}`);
  try {
    await once(server, 'listening');
  } catch (error) {
    throw new Error(`the data directory ${directory} is in use by another stack`, { cause: error });
  }
  return async () => {
    server.close();
    await once(server, 'close');
  };
}
