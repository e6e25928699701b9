import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { refuseSocket } from './raw-response.ts';
import { readTarget, type RequestTarget } from './request-target.ts';

/** The part of a logger that is needed here. */
export interface DefectLog {
  error(fields: object, message: string): void;
}

/** Takes over the socket of a request for WebSocket. What it throws ends that connection only. */
export type UpgradeHandler = (request: IncomingMessage, socket: Duplex, head: Buffer, target: RequestTarget) => void;

/** The upgrade requests of a server, by path. */
export interface Upgrades {
  /** True for an upgrade that the server knows; any other is an ordinary request. */
  isUpgrade(request: IncomingMessage): boolean;
  /** Serves a path; the result stops that. */
  serve(path: string, handler: UpgradeHandler): () => void;
  listenTo(server: Server): void;
}

/**
 * The only entry for upgraded sockets: from here on the HTTP server handles neither their errors nor their timeouts, so
 * the error listener is attached before anything else, and whatever is refused is closed.
 */
export function createUpgrades(log?: DefectLog): Upgrades {
  const handlers = new Map<string, UpgradeHandler>();

  function onUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    socket.on('error', () => socket.destroy());
    const target = readTarget(request.url);
    if (!target) return refuseSocket(socket, 400);
    const handler = handlers.get(target.path);
    if (!handler) return refuseSocket(socket, 404);
    try {
      handler(request, socket, head, target);
    } catch (error) {
      log?.error({ err: error, path: target.path }, 'an upgrade failed');
      socket.destroy();
    }
  }

  return {
    // Others, such as `h2c`, are offers that a server may ignore (RFC 9110, 7.8).
    isUpgrade: ({ headers }) => handlers.size > 0 && headers.upgrade?.toLowerCase() === 'websocket',
    serve(path, handler) {
      handlers.set(path, handler);
      return () => void handlers.delete(path);
    },
    listenTo: (server) => void server.on('upgrade', onUpgrade),
  };
}
