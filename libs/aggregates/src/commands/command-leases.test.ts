import { createLog } from '@parley/telemetry';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { Outbox } from '../outbox/outbox.ts';
import type { CommandEntry } from '../stored/bookkeeping.ts';
import type { DocumentWriter } from '../writes/document-writer.ts';
import { type CommandLeases, openCommandLeases } from './command-leases.ts';
import type { LeasedCommand } from './command-places.ts';

const LEASE_MS = 15_000;
let renewed: string[];
let leases: CommandLeases;

beforeEach(() => {
  jest.useFakeTimers();
  renewed = [];
  const updateBookkeeping = async (id: string) => {
    renewed.push(id);
    return true;
  };
  leases = openCommandLeases({
    writer: { updateBookkeeping } as unknown as DocumentWriter,
    outbox: {} as Outbox,
    leaseMs: LEASE_MS,
    log: createLog({ service: 'test', level: 'silent' }),
  });
});
afterEach(() => void jest.useRealTimers());

const leased = (id: string): LeasedCommand => ({
  aggregateId: id,
  companyId: 'com_1',
  entry: { id: `cmd_${id}`, lease: leases.newLease() } as CommandEntry,
  abort: new AbortController(),
});
const hold = (id: string) => {
  const command = leased(id);
  leases.hold(command);
  return command;
};
const pass = () => jest.advanceTimersByTimeAsync((LEASE_MS * 2) / 3);

describe('the leases of a process', () => {
  it('the leases of a process are renewed as long as they are held', async () => {
    hold('one');
    await pass();
    expect(renewed).toEqual(['one']);
  });

  it('the leases of a process need no timer while there are none, and are renewed again afterwards', async () => {
    leases.letGo(hold('one'));
    await pass();
    expect(renewed).toEqual([]);
    expect(jest.getTimerCount()).toBe(0);
    hold('two');
    await pass();
    expect(renewed).toEqual(['two']);
  });

  it('the leases of a process are not renewed after it has stopped', async () => {
    hold('one');
    await leases.stop();
    hold('two');
    await pass();
    expect(renewed).toEqual([]);
  });
});
