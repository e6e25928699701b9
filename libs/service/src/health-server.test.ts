import { request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { scratchDir } from '@parley/testkit';
import { describe, expect, it } from '@jest/globals';
import { serveHealth } from './health-server.ts';
import { VERSION } from './version.ts';
import { createLifecycle } from './lifecycle.ts';

function get(where: { port?: number; host?: string; socketPath?: string }, path: string) {
  return new Promise<{ status: number | undefined; body: unknown }>((resolve, reject) => {
    request({ ...where, path }, (response) => {
      let text = '';
      response
        .on('data', (chunk) => (text += chunk))
        .on('end', () => resolve({ status: response.statusCode, body: JSON.parse(text) }));
    })
      .on('error', reject)
      .end();
  });
}

describe('the health server', () => {
  it('the health server reports that the process runs, and whether it is ready and why not', async () => {
    const lifecycle = createLifecycle();
    let mongodb = false;
    lifecycle.addCheck({ name: 'mongodb', check: () => mongodb });
    const { port } = (await serveHealth(lifecycle, '127.0.0.1:0')) as AddressInfo;
    const at = { host: '127.0.0.1', port };
    expect(await get(at, '/healthz/live')).toEqual({ status: 200, body: { health: 'starting', version: VERSION } });
    lifecycle.started();
    expect(await get(at, '/healthz/ready')).toEqual({
      status: 503,
      body: { health: 'ready', ready: false, checks: { mongodb: false } },
    });
    mongodb = true;
    expect(await get(at, '/healthz/ready')).toMatchObject({ status: 200, body: { ready: true } });
    expect((await get(at, '/')).status).toBe(404);
    expect(await get(at, '/%')).toEqual({ status: 404, body: { error: 'not_found' } });
    await lifecycle.stop();
    await expect(get(at, '/healthz/live')).rejects.toThrow();
  });

  it('the health server listens on a unix socket and on IPv6 too', async () => {
    const scratch = await scratchDir();
    const lifecycle = createLifecycle();
    await serveHealth(lifecycle, `unix:${scratch.path}/health.sock`);
    expect((await get({ socketPath: `${scratch.path}/health.sock` }, '/healthz/live')).status).toBe(200);
    const { port } = (await serveHealth(lifecycle, '[::1]:0')) as AddressInfo;
    expect((await get({ host: '::1', port }, '/healthz/live')).status).toBe(200);
    await lifecycle.stop();
    await scratch.remove();
  });

  it('the health server cannot start on a port that is taken', async () => {
    const lifecycle = createLifecycle();
    const { port } = (await serveHealth(lifecycle, '127.0.0.1:0')) as AddressInfo;
    await expect(serveHealth(createLifecycle(), `127.0.0.1:${port}`)).rejects.toMatchObject({ code: 'EADDRINUSE' });
    await lifecycle.stop();
  });
});
