/**
 * One embedded MongoDB engine, served on unix sockets, one per client: `engine-main.ts <data dir> <socket path>...`.
 * It ends with its parent process, because an orphaned engine would lock its data directory forever.
 */
import { once } from 'node:events';
import { chmodSync, mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { failToStart, reportReady, untilStopRequested } from '../process/child-lifecycle.ts';
import { type Engine, loadEngine } from './engine-library.ts';
import { applySettings } from './engine-settings.ts';
import { engineShare } from './engine-share.ts';
import { createWireServer, type WireServer } from './wire-server.ts';

const CACHE_DIR = path.join(import.meta.dirname, '../../.cache');
/** An engine whose parent was killed needs a short time to release the directory. */
const DIRECTORY_WAIT_MS = 5_000;
/** Closing takes about 0.2 s; journalled writes are safe without it. */
const CLOSE_MS_MAX = 2_500;

const [dataDir = '', ...socketPaths] = process.argv.slice(2);
const stopRequested = untilStopRequested();
try {
  const engine = await openEngine(dataDir);
  await applySettings(engine);
  const share = () => (socketPaths.length === 1 ? engine : engineShare(engine));
  const servers = await Promise.all(socketPaths.map((socketPath) => listen(createWireServer(share()), socketPath)));
  reportReady();

  await stopRequested;
  setTimeout(() => process.exit(1), CLOSE_MS_MAX).unref();
  for (const { server, dropConnections } of servers) {
    server.close();
    dropConnections();
  }
  await engine.close();
  process.exit(0);
} catch (error) {
  failToStart((error as Error).message);
}

async function listen(wire: WireServer, socketPath: string): Promise<WireServer> {
  // This process owns the directory, so an existing socket belongs to a killed engine.
  rmSync(socketPath, { force: true });
  wire.server.listen(socketPath);
  await once(wire.server, 'listening');
  chmodSync(socketPath, 0o600);
  return wire;
}

async function openEngine(directory: string): Promise<Engine> {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const library = loadEngine(CACHE_DIR);
  const deadline = performance.now() + DIRECTORY_WAIT_MS;
  for (;;) {
    try {
      return await library.open(directory);
    } catch (error) {
      const inUse = (error as Error).message.includes('DBPathInUse');
      if (!inUse || performance.now() > deadline) throw error;
      await sleep(100);
    }
  }
}
