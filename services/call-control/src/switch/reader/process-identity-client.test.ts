import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it } from '@jest/globals';
import { waitUntil } from '@parley/testkit/wait-until';
import { processFacts, type ProcessState, processIdentity } from './process-identity-client.ts';

const states: Record<number, ProcessState> = { 10: 'running', 11: 'running', 13: 'stopped' };
const facts = { machine: 'machine', pid: 10, stateOf: (pid: number) => states[pid] ?? 'ended' };
const nameOf = (machine: string | undefined, pid: number) => processIdentity({ ...facts, machine, pid }).own;

describe('the name of a process', () => {
  it.each([
    ['a process of the same machine that runs', nameOf('machine', 11), 'alive'],
    ['one that was stopped by a signal', nameOf('machine', 13), 'unknown'],
    ['one that has ended', nameOf('machine', 12), 'dead'],
    ['one of another machine', nameOf('other', 12), 'unknown'],
    ['another part of the same process', nameOf('machine', 10), 'unknown'],
    ['one that could not determine its machine', nameOf(undefined, 12), 'unknown'],
    ['none', '', 'unknown'],
  ])('the name of a process tells about %s', (_what, name, liveness) => {
    expect(processIdentity(facts).livenessOf(name)).toBe(liveness);
  });

  it('the name of a process is never that of another run', () => {
    expect(processIdentity(facts).own).not.toBe(processIdentity(facts).own);
  });

  it('the name of a process tells that this process runs to others on this machine', () => {
    const { own } = processIdentity(processFacts());
    const [machine = ''] = own.split('/');
    expect(processIdentity({ ...processFacts(), pid: -1 }).livenessOf(own)).toBe(machine === '' ? 'unknown' : 'alive');
  });

  it('the name of a process tells whether a process was stopped, goes on and has ended', async () => {
    const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
    try {
      const { machine, stateOf } = processFacts();
      if (machine === undefined) return;
      const become = (state: ProcessState) =>
        waitUntil(async () => stateOf(child.pid!) === state, { what: `a process that is ${state}` });
      await become('running');
      child.kill('SIGSTOP');
      await become('stopped');
      child.kill('SIGCONT');
      await become('running');
    } finally {
      child.kill('SIGKILL');
    }
    await once(child, 'exit');
    expect(processFacts().stateOf(child.pid!)).toBe('ended');
  });
});
