import { request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { scratchDir } from '@parley/testkit';
import { describe, expect, it } from '@jest/globals';
import { serveHealth } from './health-server.ts';
import { createLife } from './life.ts';

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
  it('says that the process lives, and whether it is ready and why not', async () => {
    const life = createLife();
    let mongodb = false;
    life.addCheck({ name: 'mongodb', check: () => mongodb });
    const { port } = (await serveHealth(life, '127.0.0.1:0')) as AddressInfo;
    const at = { host: '127.0.0.1', port };
    expect(await get(at, '/healthz/live')).toEqual({ status: 200, body: { health: 'starting' } });
    life.started();
    expect(await get(at, '/healthz/ready')).toEqual({
      status: 503,
      body: { health: 'ready', ready: false, checks: { mongodb: false } },
    });
    mongodb = true;
    expect(await get(at, '/healthz/ready')).toMatchObject({ status: 200, body: { ready: true } });
    expect((await get(at, '/')).status).toBe(404);
    await life.stop();
    await expect(get(at, '/healthz/live')).rejects.toThrow();
  });

  it('listens on a unix socket and on IPv6 too', async () => {
    const scratch = await scratchDir();
    const life = createLife();
    await serveHealth(life, `unix:${scratch.path}/health.sock`);
    expect((await get({ socketPath: `${scratch.path}/health.sock` }, '/healthz/live')).status).toBe(200);
    const { port } = (await serveHealth(life, '[::1]:0')) as AddressInfo;
    expect((await get({ host: '::1', port }, '/healthz/live')).status).toBe(200);
    await life.stop();
    await scratch.remove();
  });

  it('cannot start on a port that is taken', async () => {
    const life = createLife();
    const { port } = (await serveHealth(life, '127.0.0.1:0')) as AddressInfo;
    await expect(serveHealth(createLife(), `127.0.0.1:${port}`)).rejects.toThrow('EADDRINUSE');
    await life.stop();
  });
});
