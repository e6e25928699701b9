import { request } from 'node:http';

const CONTINUE_WAIT_MS = 1000;

/** HTTP requests of the switch: with call-control's credentials, to call-control only. */
export class SwitchHttp {
  readonly #origin: string | undefined;
  readonly #authorization: string | undefined;

  /** `address`: call-control's port for switches; `credentials`: `user:password`. */
  constructor(address: string | undefined, credentials: string | undefined) {
    this.#origin = address === undefined ? undefined : new URL(address).origin;
    this.#authorization =
      credentials === undefined ? undefined : `Basic ${Buffer.from(credentials).toString('base64')}`;
  }

  fetch(url: string, options: { signal: AbortSignal }): Promise<Response> {
    return fetch(url, { ...options, headers: { 'user-agent': 'freeswitch-http-cache/1.0', ...this.#headersFor(url) } });
  }

  /** Uploads a file as mod_http_cache does: with `Expect: 100-continue` and follows no redirect. */
  put(url: string, content: Buffer, contentType: string): Promise<number> {
    return new Promise((resolve, reject) => {
      const upload = request(url, {
        method: 'PUT',
        headers: {
          'user-agent': 'freeswitch-http-cache/1.0',
          'content-type': contentType,
          'content-length': content.length,
          expect: '100-continue',
          ...this.#headersFor(url),
        },
      });
      // Without a 100 response the file is sent after a timeout.
      const continueTimeout = setTimeout(() => upload.end(content), CONTINUE_WAIT_MS);
      upload.on('continue', () => {
        clearTimeout(continueTimeout);
        if (!upload.writableEnded) upload.end(content);
      });
      upload.on('response', (response) => {
        response.resume();
        resolve(response.statusCode ?? 0);
        if (!upload.writableEnded) upload.destroy();
      });
      upload.on('error', reject);
      upload.on('close', () => clearTimeout(continueTimeout));
      upload.flushHeaders();
    });
  }

  #headersFor(url: string): Record<string, string> {
    const ours = this.#origin !== undefined && URL.canParse(url) && new URL(url).origin === this.#origin;
    return ours && this.#authorization !== undefined ? { authorization: this.#authorization } : {};
  }
}
