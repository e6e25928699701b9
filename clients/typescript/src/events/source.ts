import type { Credential } from '../transport/credential.ts';
import type { SocketLike } from './channel.ts';

/** A WebSocket that can send headers, as those of Node.js, Deno, Bun and the package `ws` can. */
export type SocketWithHeaders = new (
  url: string,
  options: { readonly protocols: string[]; readonly headers: Readonly<Record<string, string>> },
) => SocketLike;

type StandardSocket = new (url: string, protocols: string[]) => SocketLike;

const PROTOCOL = 'actioncable-v1-json';

/**
 * How to open the live channel; undefined where it cannot be opened. In a browser only an access token can be sent, in the
 * address (`?token=`); elsewhere a header keeps it out of the logs of proxies.
 */
export function socketOpener(
  baseUrl: string,
  credential: Credential,
  { socket, inBrowser }: { readonly socket: unknown; readonly inBrowser: boolean },
): (() => Promise<() => SocketLike>) | undefined {
  const url = `${baseUrl.replace(/^http/, 'ws')}/cable`;
  if (typeof socket !== 'function' || (inBrowser && !credential.hasToken)) return undefined;
  return async () => {
    const headers = await credential.headers();
    if (!inBrowser) return () => new (socket as SocketWithHeaders)(url, { protocols: [PROTOCOL], headers });
    const token = headers['Authorization']?.replace(/^Bearer /, '') ?? '';
    return () => new (socket as StandardSocket)(`${url}?token=${encodeURIComponent(token)}`, [PROTOCOL]);
  };
}
