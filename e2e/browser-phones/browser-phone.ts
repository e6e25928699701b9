import path from 'node:path';
import { waitUntil } from '@parley/testkit/wait-until';
import { build } from 'esbuild';
import type { Page } from 'playwright-core';
import { startBrowser } from '../identity/real-browser.ts';

/** The answer of `POST /softphone_sessions`. */
export interface SoftphoneSession {
  readonly id: string;
  readonly sip_uri: string;
  readonly username: string;
  readonly password: string;
  readonly websocket_url: string;
  readonly ice_servers: readonly object[];
}

/** The state that the page shows. */
export interface SoftphoneState {
  readonly registration: string;
  readonly call: string;
  readonly direction: string;
  /** The state of its audio connection. */
  readonly media: string;
  readonly caller: string;
  readonly callId: string;
  readonly cause: string;
  readonly reason: string;
  /** Why the service refused its call. */
  readonly refusal: string;
  readonly loudest: number;
}

const LIMIT_MS = 60_000;

/** A page with a softphone in a real browser. */
export class BrowserPhone {
  readonly page: Page;

  /** The number of registrations that the switch has confirmed. */
  registrations = 0;

  constructor(page: Page) {
    this.page = page;
    page.on('websocket', (socket) =>
      socket.on('framereceived', ({ payload }) => {
        if (/^SIP\/2\.0 200 .*^CSeq: \d+ REGISTER/ms.test(String(payload))) this.registrations += 1;
      }),
    );
  }

  async start(session: SoftphoneSession): Promise<void> {
    await this.run('start', session);
  }

  run(method: string, ...args: readonly unknown[]): Promise<unknown> {
    return this.page.evaluate(`softphone.${method}(${args.map((one) => JSON.stringify(one)).join(', ')})`);
  }

  state(): Promise<SoftphoneState> {
    return this.page.evaluate('softphone.state()');
  }

  until(what: string, holds: (state: SoftphoneState) => boolean): Promise<SoftphoneState> {
    return waitUntil(
      async () => {
        const state = await this.state();
        return holds(state) && state;
      },
      { what, timeoutMs: LIMIT_MS },
    );
  }
}

/** Browsers whose microphone plays a WAV file again and again. */
export interface PhoneBrowsers {
  /** A window of its own, without cookies and storage of the others, in which a page is open: the sandbox refuses pages of other sites. */
  open(pageUrl: string): Promise<BrowserPhone>;
  close(): Promise<void>;
}

export async function startPhoneBrowsers(microphoneFile: string): Promise<PhoneBrowsers> {
  const [content, browser] = await Promise.all([bundleSoftphone(), startBrowser(microphoneFile)]);
  return {
    async open(pageUrl) {
      const context = await browser.newContext({ permissions: ['microphone'], bypassCSP: true });
      // In every document of the page, so that it is there again after a reload.
      await context.addInitScript({ content });
      const page = await context.newPage();
      await page.goto(pageUrl);
      return new BrowserPhone(page);
    },
    close: () => browser.close(),
  };
}

async function bundleSoftphone(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [path.join(import.meta.dirname, 'softphone-page.mjs')],
    bundle: true,
    write: false,
    format: 'iife',
    logLevel: 'error',
  });
  return outputFiles[0]!.text;
}
