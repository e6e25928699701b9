import { describe, expect, it } from '@jest/globals';
import { processFacts } from './process-facts-client.ts';
import { processIdentity } from './process-identity.ts';

const running = new Set([10, 11]);
const facts = { machine: 'machine', pid: 10, isRunning: (pid: number) => running.has(pid) };
const nameOf = (machine: string | undefined, pid: number) => processIdentity({ ...facts, machine, pid }).own;

describe('the name of a process', () => {
  it.each([
    ['a process of the same machine that runs', nameOf('machine', 11), 'alive'],
    ['one that has ended', nameOf('machine', 12), 'dead'],
    ['one of another machine', nameOf('other', 12), 'unknown'],
    ['another part of the same process', nameOf('machine', 10), 'unknown'],
    ['one that could not determine its machine', nameOf(undefined, 12), 'unknown'],
    ['none', '', 'unknown'],
  ])('tells about %s', (_what, name, liveness) => {
    expect(processIdentity(facts).livenessOf(name)).toBe(liveness);
  });

  it('is never that of another run', () => {
    expect(processIdentity(facts).own).not.toBe(processIdentity(facts).own);
  });

  it('tells that this process runs to others on this machine', () => {
    const { own } = processIdentity(processFacts());
    const [machine = ''] = own.split('/');
    expect(
      processIdentity({ ...facts, machine, pid: -1, isRunning: (pid) => pid === process.pid }).livenessOf(own),
    ).toBe(machine === '' ? 'unknown' : 'alive');
  });
});
