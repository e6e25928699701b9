import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Waits for a browser to come back from the service (RFC 8252, section 7.3). */
export interface LoopbackServer {
  readonly redirectUri: string;
  /**
   * The first result of `take` for an address that the browser came back to; undefined from `take` means that it was something else, such as another
   * program of this machine that guesses. What `take` throws ends the waiting.
   */
  result<Result>(take: (url: string) => Promise<Result | undefined>, signal: AbortSignal): Promise<Result>;
  close(): void;
}

const PATH = '/callback';
const HOST = '127.0.0.1';

export async function openLoopbackServer(): Promise<LoopbackServer> {
  let take: (url: string) => Promise<'taken' | 'refused' | 'unknown'> = () => Promise.resolve('unknown');
  const server = createServer({ requestTimeout: 10_000, maxHeaderSize: 16_384 }, (request, response) => {
    const url = request.url ?? '';
    const answer = (status: number, title: string, text: string) =>
      response
        .writeHead(status, {
          'Content-Type': 'text/html; charset=utf-8',
          'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'",
          'Cache-Control': 'no-store',
          Connection: 'close',
        })
        .end(page(title, text));
    if (request.method !== 'GET' || !url.startsWith(`${PATH}?`)) return void answer(404, 'Not found', '');
    take(url).then(
      (result) => {
        if (result === 'taken') answer(200, 'You are signed in', 'Close this page and go back to the terminal.');
        else if (result === 'refused') answer(400, 'You are not signed in', 'The terminal says why.');
        else answer(400, 'This is not the sign-in that the terminal waits for', 'Use the address that it shows.');
      },
      () => answer(500, 'You are not signed in', 'The terminal says why.'),
    );
  });
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(0, HOST, resolve));
  const { port } = server.address() as AddressInfo;
  return {
    redirectUri: `http://${HOST}:${port}${PATH}`,
    result: (taking, signal) =>
      new Promise((resolve, reject) => {
        const onAbort = () => reject(signal.reason as Error);
        if (signal.aborted) return onAbort();
        signal.addEventListener('abort', onAbort, { once: true });
        take = async (url) => {
          try {
            const result = await taking(url);
            if (result === undefined) return 'unknown';
            resolve(result);
            return 'taken';
          } catch (error) {
            reject(error as Error);
            return 'refused';
          }
        };
      }),
    close() {
      server.close();
      // The page was sent: a browser may keep its connection.
      setTimeout(() => server.closeAllConnections(), 500).unref();
    },
  };
}

function page(title: string, text: string): string {
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title>
<style>:root{color-scheme:light dark}body{font:1rem/1.5 system-ui,sans-serif;max-width:34rem;margin:20vh auto;padding:0 1rem}</style>
<h1>${title}</h1><p>${text}</p></html>
`;
}
