import type { IncomingHttpHeaders } from 'node:http';
import { LRUCache } from 'lru-cache';
import type { ServerResponse } from './server-script.ts';

/** A request that a server got. */
export interface ServerRequest {
  readonly method: string;
  /** Below the server's own address, with its query. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly rawBody: string;
  /** The status of the response; null while the client waits, and when the response was cut off or the client left. */
  answered: number | null;
}

interface ScriptedServer {
  readonly script: readonly ServerResponse[];
  /** Since the script was set. */
  count: number;
  readonly requests: ServerRequest[];
}

/** Servers use memory by their scripts; those that were not used for longest are forgotten. */
const SERVERS_MAX = 100;
const SCRIPTS_LENGTH_MAX = 64 * 1024 * 1024;
/** A server keeps the latest requests, up to this many and this much text. */
const REQUESTS_MAX = 1_000;
const REQUESTS_LENGTH_MAX = 2 * 1024 * 1024;

/** Every scripted server by its name, in memory. */
export type ScriptedServers = ReturnType<typeof createScriptedServers>;

export function createScriptedServers() {
  const servers = new LRUCache<string, ScriptedServer>({
    max: SERVERS_MAX,
    maxSize: SCRIPTS_LENGTH_MAX,
    sizeCalculation: ({ script }) => JSON.stringify(script).length,
  });
  return {
    /** Sets the responses from now on; what the server was asked stays. */
    setScript(name: string, script: readonly ServerResponse[]): void {
      servers.set(name, { script, count: 0, requests: servers.get(name)?.requests ?? [] });
    },
    /** Stores a request and chooses its response; undefined for a server that has no script. */
    receive(
      name: string,
      request: Omit<ServerRequest, 'answered'>,
    ): { received: ServerRequest; response: ServerResponse } | undefined {
      const server = servers.get(name);
      if (!server) return undefined;
      const received: ServerRequest = { ...request, answered: null };
      server.requests.push(received);
      let length = server.requests.reduce((sum, { rawBody }) => sum + rawBody.length, 0);
      while (server.requests.length > REQUESTS_MAX || length > REQUESTS_LENGTH_MAX)
        length -= server.requests.shift()!.rawBody.length;
      // Chosen on arrival, so that two requests at once get consecutive responses.
      const response = server.script[Math.min(server.count, server.script.length - 1)]!;
      server.count += 1;
      return { received, response };
    },
    /** In order of arrival; undefined for a server that has no script. */
    requests: (name: string): readonly ServerRequest[] | undefined => servers.get(name)?.requests,
    /** Forgets the server. A request that waits still gets its response. */
    delete: (name: string) => void servers.delete(name),
  };
}
