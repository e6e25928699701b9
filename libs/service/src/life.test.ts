import { createLog } from '@parley/telemetry';
import { describe, expect, it } from '@jest/globals';
import { createLife } from './life.ts';

function recordedLog() {
  const lines: string[] = [];
  const log = createLog({ service: 'test', level: 'info', destination: { write: (line) => void lines.push(line) } });
  return { log, lines };
}

describe('a life', () => {
  it('stops what was started in reverse order, one after the other, once', async () => {
    const life = createLife();
    const order: string[] = [];
    life.defer('first', () => void order.push('first'));
    life.defer('second', async () => {
      await new Promise((resolve) => setImmediate(resolve));
      order.push('second');
    });
    life.defer('third', () => void order.push('third'));
    await Promise.all([life.stop(), life.stop()]);
    await life.stop();
    expect(order).toEqual(['third', 'second', 'first']);
  });

  it('stops the others when one fails, and says so', async () => {
    const { log, lines } = recordedLog();
    const life = createLife();
    life.reportTo(log);
    let stopped = false;
    life.defer('first', () => void (stopped = true));
    life.defer('broken', () => {
      throw new Error('stuck');
    });
    await life.stop();
    expect(stopped).toBe(true);
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ part: 'broken', err: { message: 'stuck' } });
  });

  it('leaves a part behind that does not stop, and says so', async () => {
    const { log, lines } = recordedLog();
    const life = createLife(20);
    life.reportTo(log);
    let stopped = false;
    life.defer('first', () => void (stopped = true));
    life.defer('stuck', () => new Promise(() => {}));
    await life.stop();
    expect(stopped).toBe(true);
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ part: 'stuck', msg: 'did not stop in time' });
  });

  it('stops at once what is started after its end', async () => {
    const life = createLife();
    await life.stop();
    let stopped = false;
    life.defer('late', () => void (stopped = true));
    expect(stopped).toBe(true);
  });

  it('has a health with a name at every moment', async () => {
    const life = createLife();
    expect(life.health()).toBe('starting');
    life.started();
    expect(life.health()).toBe('ready');
    let during: string | undefined;
    life.defer('part', () => void (during = life.health()));
    await life.stop();
    expect(during).toBe('draining');
    expect(life.health()).toBe('stopped');
    life.started();
    expect(life.health()).toBe('stopped');
  });
});

describe('readiness', () => {
  it('names every check, and is given when all are met after the start', async () => {
    const life = createLife();
    let nats = true;
    life.addCheck({ name: 'mongodb', check: async () => true });
    life.addCheck({ name: 'nats', check: () => nats });
    expect(await life.readiness()).toEqual({ health: 'starting', ready: false, checks: { mongodb: true, nats: true } });
    life.started();
    expect(await life.readiness()).toEqual({ health: 'ready', ready: true, checks: { mongodb: true, nats: true } });
    nats = false;
    expect(await life.readiness()).toEqual({ health: 'ready', ready: false, checks: { mongodb: true, nats: false } });
  });

  it('takes a check that throws, rejects or hangs for not met', async () => {
    const life = createLife();
    life.started();
    life.addCheck({
      name: 'throws',
      check: () => {
        throw new Error('no');
      },
    });
    life.addCheck({ name: 'rejects', check: () => Promise.reject(new Error('no')) });
    life.addCheck({ name: 'hangs', check: () => new Promise(() => {}) });
    expect((await life.readiness()).checks).toEqual({ throws: false, rejects: false, hangs: false });
  });

  it('is withdrawn when the stop begins', async () => {
    const life = createLife();
    life.started();
    let ready: boolean | undefined;
    life.defer('part', async () => void (ready = (await life.readiness()).ready));
    await life.stop();
    expect(ready).toBe(false);
  });
});
