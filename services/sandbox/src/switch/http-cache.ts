import { LRUCache } from 'lru-cache';
import { readWav, type Sound } from '../audio/wav.ts';
import type { Heard } from '../legs/leg.ts';
import type { SwitchHttp } from './switch-http.ts';

export interface CachedPrompt {
  readonly sound: Sound;
  readonly heard: Heard | undefined;
}

const DOWNLOAD_TIMEOUT_MS = 4000;
const BODY_MAX_BYTES = 16 * 1024 * 1024;
const MAX_AGE_DEFAULT_SECS = 86_400;
const ENTRIES_MAX = 2000;

/** mod_http_cache: the whole address is the key, failures are not cached, and concurrent requests share one download. */
export class HttpCache {
  readonly #http: SwitchHttp;
  readonly #prompts = new LRUCache<string, CachedPrompt>({ max: ENTRIES_MAX });
  readonly #downloads = new Map<string, Promise<CachedPrompt | undefined>>();

  constructor(http: SwitchHttp) {
    this.#http = http;
  }

  has(url: string): boolean {
    return this.#prompts.has(url);
  }

  get(url: string, refresh = false): Promise<CachedPrompt | undefined> {
    const known = refresh ? undefined : this.#prompts.get(url);
    if (known) return Promise.resolve(known);
    const running = this.#downloads.get(url);
    if (running) return running;
    const download = this.#download(url).finally(() => this.#downloads.delete(url));
    this.#downloads.set(url, download);
    return download;
  }

  remove(url: string): void {
    this.#prompts.delete(url);
  }

  clear(): void {
    this.#prompts.clear();
  }

  async #download(url: string): Promise<CachedPrompt | undefined> {
    // The text after the last dot of the whole address decides the format.
    if (!/\.wav$/i.test(url)) return undefined;
    try {
      const response = await this.#http.fetch(url, { signal: AbortSignal.timeout(DOWNLOAD_TIMEOUT_MS) });
      const body = Buffer.from(await response.arrayBuffer());
      if (!response.ok || body.length > BODY_MAX_BYTES) return undefined;
      const sound = readWav(body);
      if (!sound) return undefined;
      const prompt = { sound, heard: heardIn(response.headers) };
      this.#keep(url, prompt, response.headers.get('cache-control'));
      return prompt;
    } catch {
      return undefined; // refused, too slow or aborted: a real switch treats them the same
    }
  }

  #keep(url: string, prompt: CachedPrompt, cacheControl: string | null): void {
    const maxAgeSecs = Number(/max-age=(\d+)/.exec(cacheControl ?? '')?.[1] ?? MAX_AGE_DEFAULT_SECS);
    // lru-cache takes a lifetime of 0 for none.
    if (maxAgeSecs > 0) this.#prompts.set(url, prompt, { ttl: maxAgeSecs * 1000 });
  }
}

/** call-control sends the text of a prompt in `X-Prompt-Text` (URI-encoded), and its kind in `X-Prompt-Kind`. */
function heardIn(headers: Headers): Heard | undefined {
  const kind = headers.get('x-prompt-kind');
  if (kind === 'ringtone' || kind === 'music' || kind === 'beep') return { kind };
  const text = headers.get('x-prompt-text');
  return text === null ? undefined : { kind: 'speech', text: uriDecoded(text) };
}

function uriDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
