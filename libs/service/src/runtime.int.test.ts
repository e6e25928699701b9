import { connect } from '@nats-io/transport-node';
import { testClockSubjects } from '@parley/clock';
import { connectRpc, createProver, newKeyPair } from '@parley/rpc';
import { startTelemetry } from '@parley/telemetry';
import { type OwnMongo, ownMongo, ownNats, type OwnNats, scratchDir, waitUntil } from '@parley/testkit';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { baseSettings, ConfigError, grpcServerSettings, mongoSettings, natsSettings } from './config.ts';
import type { ServiceRuntime } from './runtime.ts';
import { startService, defineService } from './run.ts';
import { openStatefulService } from './stateful-service.ts';

let mongo: OwnMongo;
let nats: OwnNats;
let scratch: Awaited<ReturnType<typeof scratchDir>>;
beforeAll(async () => {
  [mongo, nats, scratch] = await Promise.all([ownMongo(), ownNats(), scratchDir()]);
});
afterAll(() => Promise.all([mongo.close(), nats.close(), scratch.remove()]));

const endings: (() => void | Promise<void>)[] = [];
afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end();
});

let runtime: ServiceRuntime;
const service = defineService({
  name: 'directory',
  config: z.object({ ...baseSettings, ...grpcServerSettings, ...mongoSettings, ...natsSettings }),
  async start(config, lifecycle) {
    const declared = { name: 'directory', publishes: true, peers: { itself: config.GRPC_LISTEN } };
    const opened = await openStatefulService(declared, config, lifecycle);
    runtime = opened;
    await opened.serve(() => undefined);
  },
});

const { privateKey: signingKey, publicKey } = newKeyPair();
const env = () => ({
  LOG_LEVEL: 'silent',
  SIGNING_KEY: signingKey,
  TRUSTED_KEYS: JSON.stringify({ gateway: publicKey }),
  GRPC_LISTEN: `unix:${scratch.path}/directory.sock`,
  MONGODB_URL: mongo.url,
  MONGODB_DATABASE: 'directory',
  NATS_URL: nats.url,
  NATS_USER: nats.user,
  NATS_PASSWORD: nats.password,
});

describe('a service of all parts', () => {
  it('a service of all parts stays ready without NATS, is not ready without MongoDB, and names the one that does not answer', async () => {
    const running = await startService(service, env());
    const telemetry = startTelemetry({ service: 'test', version: '0', logLevel: 'silent' });
    const channel = connectRpc({ address: env().GRPC_LISTEN, telemetry, prover: createProver('gateway', signingKey) });
    endings.push(
      () => telemetry.stop(),
      () => running.stop(),
      () => channel.close(),
    );
    expect(await runtime.lifecycle.readiness()).toMatchObject({ ready: true, checks: { mongodb: true, nats: true } });
    expect(await channel.healthy(5000)).toBe(true);

    await nats.stop();
    await waitUntil(async () => (await runtime.lifecycle.readiness()).checks['nats'] === false, {
      what: 'the loss of NATS to be detected',
    });
    expect(await runtime.lifecycle.readiness()).toMatchObject({ ready: true, checks: { mongodb: true, nats: false } });
    expect(await channel.healthy(5000)).toBe(true);
    await nats.start();
    await waitUntil(async () => (await runtime.lifecycle.readiness()).checks['nats'] === true, {
      what: 'NATS to be back',
    });

    await mongo.kill();
    expect((await runtime.lifecycle.readiness()).checks).toEqual({ mongodb: false, nats: true });
    await mongo.start();
    await waitUntil(async () => (await runtime.lifecycle.readiness()).ready, { what: 'MongoDB to be back' });

    await running.stop();
    expect(runtime.lifecycle.health()).toBe('stopped');
  });

  it('a service of all parts follows the test clock of its own stack, and only where it is switched on', async () => {
    const off = await startService(service, env());
    endings.push(() => off.stop());
    expect(runtime.clock).not.toHaveProperty('setOffsetMs');
    await off.stop();
    const on = await startService(service, { ...env(), TEST_CLOCK: 'on', NATS_PREFIX: 'ours' });
    const sandbox = await connect(nats.options);

    endings.push(
      () => on.stop(),
      () => sandbox.close(),
    );
    const move = (stack: string) => {
      const { set } = testClockSubjects({ subject: (name) => `${stack}.${name}` });
      return sandbox.request(set, JSON.stringify({ offsetMs: 3_600_000 }), { timeout: 5000 });
    };
    await expect(move('theirs')).rejects.toThrow('no responders');
    await move('ours');
    expect(runtime.clock.now().getTime() - Date.now()).toBeGreaterThan(3_000_000);
  });

  it('a service of all parts does not start half encrypted', async () => {
    const half = { ...env(), TLS_CERT_FILE: '/etc/tls/cert.pem', TLS_KEY_FILE: '/etc/tls/key.pem' };
    const error = await startService(service, half).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ConfigError);
    expect((error as Error).message).toContain('must be set together');
  });
});
