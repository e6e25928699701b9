import { rm } from 'node:fs/promises';
import { connect } from 'node:net';

/** Removes the socket file of a server that was killed, if `address` names one: it would keep the next one from listening. */
export async function removeStaleSocket(address: string): Promise<void> {
  const path = /^unix:(?:\/\/)?(\/.+)$/.exec(address)?.[1];
  if (path !== undefined && (await isDead(path))) await rm(path, { force: true });
}

function isDead(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path);
    socket.once('connect', () => {
      socket.destroy();
      resolve(false);
    });
    socket.once('error', (error: NodeJS.ErrnoException) => resolve(error.code === 'ECONNREFUSED'));
  });
}
