import { describe, expect, it } from '@jest/globals';
import { fairBroadcast } from './fair-broadcast.ts';

function start(targets: Record<string, number>) {
  const sent: { to: string; updates: readonly string[] }[] = [];
  const sentSince: Date[] = [];
  const turns: (() => void)[] = [];
  const sets = new Map(
    Object.entries(targets).map(([company, count]) => [
      company,
      new Set(Array.from({ length: count }, (_, n) => `${company}${n}`)),
    ]),
  );
  const broadcast = fairBroadcast<string>({
    targetsOf: (companyId) => sets.get(companyId),
    send(to, updates) {
      sent.push({ to, updates });
      return updates.length;
    },
    onSent: (changedAt) => void sentSince.push(changedAt),
    later: (work) => void turns.push(work),
    afterMs: (work) => void turns.push(work),
  });
  const turn = () => turns.shift()?.();
  const turnAll = () => {
    while (turns.length > 0) turn();
  };
  return { broadcast, sent, sentSince, sets, turn, turnAll };
}

describe('a broadcast', () => {
  it('a broadcast brings every update to every connection of its company, and to no other', () => {
    const { broadcast, sent, turnAll } = start({ a: 2, b: 1 });
    broadcast.add('a', '1');
    broadcast.add('a', '2');
    broadcast.add('unknown', '3');
    turnAll();
    expect(sent).toEqual([
      { to: 'a0', updates: ['1', '2'] },
      { to: 'a1', updates: ['1', '2'] },
    ]);
  });

  it('a broadcast tells once all connections have an update, since its first change', () => {
    const { broadcast, sentSince, turn, turnAll } = start({ a: 150 });
    broadcast.add('a', '1', new Date(1000));
    broadcast.add('a', '1', new Date(2000));
    broadcast.add('a', '2');
    turn();
    expect(sentSince).toEqual([]);
    turnAll();
    expect(sentSince).toEqual([new Date(1000)]);
  });

  it('a broadcast of one company with many connections lets another have its turn in between', () => {
    const { broadcast, sent, turn, turnAll } = start({ a: 10_000, b: 1 });
    broadcast.add('a', '1');
    turn();
    broadcast.add('b', '2');
    turn();
    turn();
    expect(sent.findIndex(({ to }) => to === 'b0')).toBeLessThanOrEqual(200);
    turnAll();
    expect(sent).toHaveLength(10_001);
  });

  it('a broadcast sends what came meanwhile, the same once, in a round of its own', () => {
    const { broadcast, sent, turn, turnAll } = start({ a: 150 });
    broadcast.add('a', '1');
    turn();
    for (const update of ['2', '3', '2']) broadcast.add('a', update);
    turnAll();
    expect(sent.slice(0, 150).every(({ updates }) => updates.join() === '1')).toBe(true);
    expect(sent.slice(150).map(({ updates }) => updates.join())).toEqual(Array(150).fill('2,3'));
  });

  it('a broadcast leaves out connections that went away, and drops the oldest of too many updates', () => {
    const { broadcast, sent, sets, turn, turnAll } = start({ a: 200 });
    broadcast.add('a', 'first');
    turn();
    sets.get('a')!.delete('a199');
    for (let n = 0; n < 10_005; n++) broadcast.add('a', String(n));
    turnAll();
    expect(sent.some(({ to }) => to === 'a199')).toBe(false);
    expect(sent.at(-1)!.updates).toHaveLength(10_000);
    expect(sent.at(-1)!.updates[0]).toBe('5');
  });

  it('a broadcast pauses after a round for as long as it took, while another company has its turns', () => {
    const { broadcast, sent, turn, turnAll } = start({ a: 1, b: 1 });
    broadcast.add('a', '1');
    turn();
    broadcast.add('a', '2');
    broadcast.add('b', '3');
    turn();
    turn();
    expect(sent.map(({ to }) => to)).toEqual(['a0', 'b0']);
    turnAll();
    expect(sent.map(({ to }) => to)).toEqual(['a0', 'b0', 'a0']);
  });

  it('a broadcast sends nothing after its end', () => {
    const { broadcast, sent, turnAll } = start({ a: 1 });
    broadcast.add('a', '1');
    broadcast.stop();
    turnAll();
    expect(sent).toEqual([]);
  });
});
