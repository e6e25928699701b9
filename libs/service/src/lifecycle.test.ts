import { createLog } from '@parley/telemetry';
import { describe, expect, it } from '@jest/globals';
import { createLifecycle } from './lifecycle.ts';
import { VERSION } from './version.ts';

function recordedLog() {
  const lines: string[] = [];
  const log = createLog({ service: 'test', level: 'info', destination: { write: (line) => void lines.push(line) } });
  return { log, lines };
}

describe('a lifecycle', () => {
  it('a lifecycle stops what was started in reverse order, one after the other, once', async () => {
    const lifecycle = createLifecycle();
    const order: string[] = [];
    lifecycle.defer('first', () => void order.push('first'));
    lifecycle.defer('second', async () => {
      await new Promise((resolve) => setImmediate(resolve));
      order.push('second');
    });
    lifecycle.defer('third', () => void order.push('third'));
    await Promise.all([lifecycle.stop(), lifecycle.stop()]);
    await lifecycle.stop();
    expect(order).toEqual(['third', 'second', 'first']);
  });

  it('a lifecycle stops the others when one fails, and logs the failure', async () => {
    const { log, lines } = recordedLog();
    const lifecycle = createLifecycle();
    lifecycle.reportTo(log);
    let stopped = false;
    lifecycle.defer('first', () => void (stopped = true));
    lifecycle.defer('broken', () => {
      throw new Error('stuck');
    });
    await lifecycle.stop();
    expect(stopped).toBe(true);
    expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({ component: 'broken', err: { message: 'stuck' } });
  });

  it('a lifecycle skips a component that does not stop, and logs it', async () => {
    const { log, lines } = recordedLog();
    const lifecycle = createLifecycle({ componentStopLimitMs: 20 });
    lifecycle.reportTo(log);
    let stopped = false;
    lifecycle.defer('first', () => void (stopped = true));
    lifecycle.defer('stuck', () => new Promise(() => {}));
    await lifecycle.stop();
    expect(stopped).toBe(true);
    expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({ component: 'stuck', msg: 'did not stop in time' });
  });

  it('a lifecycle writes one line when it has started, with version and addresses, and one when it stops', async () => {
    const { log, lines } = recordedLog();
    const lifecycle = createLifecycle();
    lifecycle.reportTo(log);
    lifecycle.listening('grpc', '0.0.0.0:50051');
    lifecycle.started();
    await lifecycle.stop();
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { level: 'info', msg: 'started', version: VERSION, listening: { grpc: '0.0.0.0:50051' } },
      { level: 'info', msg: 'stopping', drain_ms: 0 },
    ]);
  });

  it('a lifecycle is not ready while it drains, and stops its components only after it', async () => {
    const lifecycle = createLifecycle();
    lifecycle.drainFor(50);
    lifecycle.started();
    let stopped = false;
    lifecycle.defer('listener', () => void (stopped = true));
    const before = performance.now();
    const ended = lifecycle.stop();
    expect([lifecycle.stopping.aborted, await lifecycle.readiness(), stopped]).toMatchObject([
      true,
      { health: 'draining', ready: false },
      false,
    ]);
    await ended;
    expect(stopped).toBe(true);
    expect(performance.now() - before).toBeGreaterThanOrEqual(49);
  });

  it('a lifecycle logs and counts a crash', () => {
    const { log, lines } = recordedLog();
    const lifecycle = createLifecycle();
    let crashes = 0;
    expect(lifecycle.crashed('unhandledRejection', new Error('unhandled'))).toBe(false);
    lifecycle.reportTo(log, { add: (count) => void (crashes += count) });
    expect(lifecycle.crashed('unhandledRejection', new Error('unhandled'))).toBe(true);
    expect([crashes, JSON.parse(lines[0] ?? '')]).toMatchObject([
      1,
      { level: 'fatal', event: 'unhandledRejection', err: { message: 'unhandled' } },
    ]);
  });

  it('a lifecycle stops at once what is started after its end', async () => {
    const lifecycle = createLifecycle();
    await lifecycle.stop();
    let stopped = false;
    lifecycle.defer('late', () => void (stopped = true));
    expect(stopped).toBe(true);
  });

  it('a lifecycle has a health with a name at every moment', async () => {
    const lifecycle = createLifecycle();
    expect(lifecycle.health()).toBe('starting');
    lifecycle.started();
    expect(lifecycle.health()).toBe('ready');
    let during: string | undefined;
    lifecycle.defer('component', () => void (during = lifecycle.health()));
    await lifecycle.stop();
    expect(during).toBe('draining');
    expect(lifecycle.health()).toBe('stopped');
    lifecycle.started();
    expect(lifecycle.health()).toBe('stopped');
  });
});

describe('readiness', () => {
  it('readiness lists every check, and is true when all pass after the start', async () => {
    const lifecycle = createLifecycle();
    let nats = true;
    lifecycle.addCheck({ name: 'mongodb', check: async () => true });
    lifecycle.addCheck({ name: 'nats', check: () => nats });
    expect(await lifecycle.readiness()).toEqual({
      health: 'starting',
      ready: false,
      checks: { mongodb: true, nats: true },
    });
    lifecycle.started();
    expect(await lifecycle.readiness()).toEqual({
      health: 'ready',
      ready: true,
      checks: { mongodb: true, nats: true },
    });
    nats = false;
    expect(await lifecycle.readiness()).toEqual({
      health: 'ready',
      ready: false,
      checks: { mongodb: true, nats: false },
    });
  });

  it('readiness does not depend on an optional check, and still reports it', async () => {
    const lifecycle = createLifecycle();
    lifecycle.started();
    lifecycle.addCheck({ name: 'mongodb', check: () => true });
    lifecycle.addCheck({ name: 'nats', optional: true, check: () => false });
    expect(await lifecycle.readiness()).toEqual({
      health: 'ready',
      ready: true,
      checks: { mongodb: true, nats: false },
    });
  });

  it('readiness treats a check that throws, rejects or hangs as failed', async () => {
    const lifecycle = createLifecycle();
    lifecycle.started();
    lifecycle.addCheck({
      name: 'throws',
      check: () => {
        throw new Error('no');
      },
    });
    lifecycle.addCheck({ name: 'rejects', check: () => Promise.reject(new Error('no')) });
    lifecycle.addCheck({ name: 'hangs', check: () => new Promise(() => {}) });
    expect((await lifecycle.readiness()).checks).toEqual({ throws: false, rejects: false, hangs: false });
  });

  it('readiness is false when the stop begins', async () => {
    const lifecycle = createLifecycle();
    lifecycle.started();
    let ready: boolean | undefined;
    lifecycle.defer('component', async () => void (ready = (await lifecycle.readiness()).ready));
    await lifecycle.stop();
    expect(ready).toBe(false);
  });
});
