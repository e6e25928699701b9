import { connect, createServer, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';

/** A network between a program and a service, which comes and goes. */
export interface UnreliableNetwork {
  /** The address of the service through it. */
  readonly url: string;
  /** Connections that were made. */
  connections(): number;
  /** Cuts all connections; new ones are made. */
  cut(): void;
  /** Cuts all connections, and refuses new ones until it is back. */
  goAway(): void;
  comeBack(): void;
  /** Nothing passes and nothing ends, as for a machine that sleeps, until it is back. */
  freeze(): void;
  close(): Promise<void>;
}

export async function openUnreliableNetwork(serviceUrl: string): Promise<UnreliableNetwork> {
  const { hostname, port } = new URL(serviceUrl);
  const sockets = new Set<Socket>();
  let state: 'up' | 'away' | 'frozen' = 'up';
  let connections = 0;

  function add(socket: Socket, other: () => Socket): void {
    sockets.add(socket);
    socket.on('data', (chunk) => void (state === 'up' && other().write(chunk)));
    socket.on('error', () => undefined);
    socket.on('close', () => {
      sockets.delete(socket);
      if (state !== 'frozen') other().destroy();
    });
  }

  const server = createServer((near) => {
    if (state === 'away') return void near.destroy();
    connections += 1;
    const far = connect(Number(port), hostname);
    add(near, () => far);
    add(far, () => near);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const destroyAll = () => sockets.forEach((socket) => socket.destroy());
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    connections: () => connections,
    cut: destroyAll,
    goAway() {
      state = 'away';
      destroyAll();
    },
    comeBack() {
      const wasFrozen = state === 'frozen';
      state = 'up';
      // What was sent meanwhile is lost: such a connection has no future.
      if (wasFrozen) destroyAll();
    },
    freeze() {
      state = 'frozen';
    },
    async close() {
      destroyAll();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
