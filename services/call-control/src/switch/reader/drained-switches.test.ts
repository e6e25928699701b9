import { beforeEach, expect, it } from '@jest/globals';
import { startTelemetry } from '@parley/telemetry';
import type { Call } from '../../calls/model/call.ts';
import type { CallInput } from '../../calls/model/call-input.ts';
import { drainedSwitches } from './drained-switches.ts';

const { log } = startTelemetry({ service: 'call-control', version: '0', logLevel: 'silent' });
const phase = { kind: 'waiting', offers: [] };
const callback = { id: 'cal_callback', callback: { state: 'waiting' }, phase, legs: [] } as unknown as Call;
const caller = { ...callback, id: 'cal_caller', legs: [{ id: 'leg-1' }] } as unknown as Call;

let applied: { id: string; input: CallInput }[];
let draining: Set<string>;
let unreachable: Set<string>;
beforeEach(() => {
  applied = [];
  draining = new Set();
  unreachable = new Set();
});

const sweep = (owned: readonly string[]) =>
  drainedSwitches({
    calls: {
      async *openOn() {
        yield callback;
        yield caller;
      },
    } as never,
    runner: { apply: async ({ id }, input) => (applied.push({ id, input }), undefined as never) },
    switches: ['east', 'west', 'north'].map((name) => ({
      name,
      isReachable: !unreachable.has(name),
      isDraining: draining.has(name),
      coreUuid: async () => `core-${name}`,
    })),
    isOwner: (name) => owned.includes(name),
    log,
  }).sweep();

it('The callbacks of a drained switch go to one that takes calls, its callers stay', async () => {
  draining.add('east');
  unreachable.add('west');
  await sweep(['east', 'west', 'north']);
  expect(applied).toEqual([
    { id: 'cal_callback', input: { type: 'switch_drained', next: { name: 'north', coreUuid: 'core-north' } } },
  ]);
});

it('The callbacks stay where no other switch takes calls, and are left to the process that reads the switch', async () => {
  draining = new Set(['east', 'west', 'north']);
  await sweep(['east']);
  draining = new Set(['east']);
  await sweep(['west']);
  expect(applied).toEqual([]);
});
