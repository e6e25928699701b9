import type { IncomingMessage } from 'node:http';
import { HttpError } from '@parley/http';

/**
 * Refuses what a page of another site sends, so that a name that was pointed at this server (DNS rebinding) is of no
 * use. Programs send no `Origin`.
 */
export function originCheck(publicUrl: string, publicHosts: readonly string[]) {
  const own = new Set([new URL(publicUrl).hostname, ...publicHosts].map((host) => host.toLowerCase()));
  return ({ headers: { origin } }: IncomingMessage): void => {
    if (origin === undefined) return;
    if (!own.has(hostOf(origin))) throw new HttpError(403, { error: 'forbidden' });
  };
}

function hostOf(origin: string): string {
  return URL.canParse(origin) ? new URL(origin).hostname : '';
}
