import type { IncomingMessage } from 'node:http';

/** Under which address we answer a request. */
export type BaseUrl = (request: IncomingMessage) => string;

/**
 * The requested host is used only if it is configured; scheme and port are always ours. A client that sends another Host
 * gets the configured address, so nothing a client sends ends up in a document, a link or a redirect.
 */
export function baseUrls(publicUrl: string, publicHosts: readonly string[]): BaseUrl {
  const own = new URL(publicUrl);
  const path = own.pathname.replace(/\/+$/, '');
  const port = own.port === '' ? '' : `:${own.port}`;
  const byHost = new Map(publicHosts.map((host) => [host.toLowerCase(), `${own.protocol}//${host}${port}${path}`]));
  return ({ headers }) => {
    const [, name = ''] = /^(\[[0-9a-f:.]+\]|[^:]+)(?::\d+)?$/i.exec(headers.host ?? '') ?? [];
    return byHost.get(name.toLowerCase()) ?? publicUrl;
  };
}
