import { describe, expect, it } from '@jest/globals';
import { browserCommand } from './open-browser.ts';
import { openLoopbackServer } from './loopback-server.ts';

const URL_ = 'https://phone.example/oauth/authorize?a=1&b=2';

describe('the browser of the user', () => {
  it.each([
    [{ BROWSER: 'firefox' }, 'linux', ['firefox', URL_]],
    [{ DISPLAY: ':0' }, 'linux', ['xdg-open', URL_]],
    [{ WAYLAND_DISPLAY: 'wayland-0' }, 'linux', ['xdg-open', URL_]],
    [{}, 'linux', undefined],
    [{}, 'darwin', ['open', URL_]],
    [{}, 'win32', ['rundll32', 'url.dll,FileProtocolHandler', URL_]],
  ] as const)('the browser of the user with %j on %s is %j', (env, platform, command) => {
    expect(browserCommand(URL_, env, platform)).toEqual(command);
  });
});

describe('the address that a browser comes back to', () => {
  const signal = new AbortController().signal;

  it('the address that a browser comes back to is on this machine only, and ignores what is not meant', async () => {
    const server = await openLoopbackServer();
    expect(server.redirectUri).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/callback$/);
    const result = server.result((url) => Promise.resolve(url.includes('state=ours') ? url : undefined), signal);
    const get = async (path: string, init = {}) => {
      const response = await fetch(new URL(path, server.redirectUri), init);
      return [response.status, await response.text()] as const;
    };
    expect((await get('/callback?state=guessed&code=1'))[0]).toBe(400);
    expect((await get('/favicon.ico'))[0]).toBe(404);
    expect((await get('/callback?state=ours', { method: 'POST' }))[0]).toBe(404);
    const [status, page] = await get('/callback?state=ours&code=<script>');
    expect([status, page]).toEqual([200, expect.stringContaining('You are signed in')]);
    expect(page).not.toContain('<script>');
    expect(await result).toBe('/callback?state=ours&code=<script>'.replace('<', '%3C').replace('>', '%3E'));
    server.close();
  });

  it('the address that a browser comes back to ends with a refusal, and with the run', async () => {
    const server = await openLoopbackServer();
    const refused = server.result(() => Promise.reject(new Error('access_denied')), signal);
    refused.catch(() => undefined);
    expect((await fetch(`${server.redirectUri}?error=access_denied`)).status).toBe(400);
    await expect(refused).rejects.toThrow('access_denied');
    const stop = new AbortController();
    const waiting = server.result(() => Promise.resolve(undefined), stop.signal);
    stop.abort(new Error('ended'));
    await expect(waiting).rejects.toThrow('ended');
    server.close();
  });
});
