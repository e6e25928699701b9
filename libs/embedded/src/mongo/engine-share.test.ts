import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import type { EngineReply } from './engine-library.ts';
import { engineShare } from './engine-share.ts';

/** An engine whose commands end when they are told to. */
function heldEngine() {
  const running: { message: string; end: (error?: Error) => void }[] = [];
  const roundTrip = (message: Buffer) =>
    new Promise<EngineReply>((resolve, reject) => {
      const end = (error?: Error) => {
        running.splice(
          running.findIndex((one) => one.end === end),
          1,
        );
        if (error) reject(error);
        else resolve({ requestId: 0, moreToCome: false, legacy: false, response: message });
      };
      running.push({ message: message.toString(), end });
    });
  return { roundTrip, running, names: () => running.map(({ message }) => message) };
}

const send = (share: ReturnType<typeof engineShare>, ...names: string[]) =>
  names.map((name) => share.roundTrip(Buffer.from(name)));

describe('the share of a client in an engine', () => {
  it('the share of a client in an engine runs no more commands at once than it may, in the order in which they came', async () => {
    const engine = heldEngine();
    const answers = send(engineShare(engine, 2), 'a', 'b', 'c', 'd');
    expect(engine.names()).toEqual(['a', 'b']);
    engine.running[1]!.end();
    await setImmediate();
    expect(engine.names()).toEqual(['a', 'c']);
    while (engine.running.length > 0) {
      engine.running[0]!.end();
      await setImmediate();
    }
    expect((await Promise.all(answers)).map(({ response }) => String(response))).toEqual(['a', 'b', 'c', 'd']);
  });

  it('the share of a client in an engine leaves the others theirs', () => {
    const engine = heldEngine();
    void send(engineShare(engine, 2), 'a', 'b', 'c');
    void send(engineShare(engine, 2), 'x');
    expect(engine.names()).toEqual(['a', 'b', 'x']);
  });

  it('the share of a client in an engine goes on after a command that failed', async () => {
    const engine = heldEngine();
    const share = engineShare(engine, 1);
    const [failed, next] = send(share, 'a', 'b');
    engine.running[0]!.end(new Error('broken'));
    await expect(failed).rejects.toThrow('broken');
    engine.running[0]!.end();
    await next;
    const [last] = send(share, 'c');
    engine.running[0]!.end();
    await expect(last).resolves.toBeDefined();
  });
});
