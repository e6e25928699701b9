import { type Clock, systemClock } from '@parley/clock';
import type { ServiceRuntime } from '@parley/service';
import { counterFromZero } from '@parley/telemetry';
import type { Db } from 'mongodb';
import type { Presences } from '../../presence/presence-store.ts';
import type { Registrations } from '../../presence/registrations.ts';
import type { ConnectedSwitches } from '../connection/open-switches.ts';
import type { SwitchSettings } from '../connection/switch-settings.ts';
import { callArrivals } from './arrivals.ts';
import { createLegEventHandler } from './leg-event-handler.ts';
import { hangUpLostPhone, undialablePhones } from './phones.ts';
import { drainedSwitches } from './drained-switches.ts';
import { createLostSwitches } from './lost-switches.ts';
import { processFacts, processIdentity } from './process-identity-client.ts';
import { startSwitchReader, type SwitchReader } from './start-switch-reader.ts';
import { openSwitchStore } from './switch-store.ts';
import { openUnappliedEvents } from './unapplied-events.ts';

/** The readers of all switches. */
export type SwitchReaders = Awaited<ReturnType<typeof startSwitchReaders>>;

type ArrivalDeps = Parameters<typeof callArrivals>[0];
type LegEventDeps = Parameters<typeof createLegEventHandler>[0];

/**
 * The lease of the process that reads a switch: how long its calls wait after a crash on another machine, or for a process that
 * stands still. With the time to connect it is below five seconds. On the same machine a crash is seen at once.
 */
const SWITCH_LEASE_MS = 4000;

export async function startSwitchReaders(
  { lifecycle, backgroundWork, telemetry }: ServiceRuntime,
  settings: { switches: readonly SwitchSettings[]; sipDomain: string; lostSecs: number },
  deps: Omit<ArrivalDeps, 'log'> &
    Pick<LegEventDeps, 'runner'> & {
      db: Db;
      clock: Clock;
      presences: Presences;
      registrations: Registrations;
      switches: ConnectedSwitches;
      /** Timers of calls that were held back may fire. */
      onReconciled: () => void;
    },
) {
  const { db, clock, calls, runner, presences, registrations, switches, onReconciled } = deps;
  const { log, meter } = telemetry;
  const machineClock = systemClock;
  const arrivals = callArrivals({ ...deps, log });
  const legEvents = createLegEventHandler({ calls, runner, arrivals, backgroundWork, telemetry });
  const onUndialable = undialablePhones(telemetry);
  const identity = processIdentity(processFacts());
  const { draining } = switches;
  const store = await openSwitchStore({ db, machineClock, identity, leaseMs: SWITCH_LEASE_MS, draining });
  const { leases, contacts } = store;
  const names = settings.switches.map(({ name }) => name);
  const setAside = await openUnappliedEvents(db, names, telemetry);
  const repairs = counterFromZero(
    meter,
    'parley_call_legs_repaired_total',
    names.map((name) => ({ switch: name })),
  );
  const readers = settings.switches.map(({ name, address }) => {
    const reader = startSwitchReader({
      leases,
      contacts,
      calls,
      legEvents,
      registrations,
      onPhoneLost: (phone) => hangUpLostPhone({ calls, runner, presences }, phone),
      onUndialable,
      clock,
      machineClock,
      log,
      switch: switches.get(name),
      address,
      sipDomain: settings.sipDomain,
      onReconciled,
      setAside,
      onRepaired: (legs) => repairs.add(legs, { switch: name }),
    });
    lifecycle.defer(`reader of switch ${name}`, () => reader.stop());
    return { name, reader };
  });
  // Each switch is counted by the process that reads it, and costs no query while it has no calls.
  meter.createObservableGauge('parley_call_legs_open').addCallback(async (result) => {
    for (const { name, reader } of readers.filter((one) => one.reader.isOwner))
      result.observe(reader.mayHaveCalls ? (await calls.openLegsOn(name)).length : 0, { switch: name });
  });
  const lostMs = settings.lostSecs * 1000;
  const namesOf = (isWanted: (reader: SwitchReader) => boolean) =>
    readers.filter(({ reader }) => isWanted(reader)).map(({ name }) => name);
  const owned = () => namesOf(({ isOwner }) => isOwner);
  const isOwner = (name: string) => owned().includes(name);
  return {
    drains: store.drains,
    /** The names of the switches whose events this process reads. */
    owned,
    /** Those of them that may have open calls with legs. */
    withCalls: () => namesOf(({ isOwner, mayHaveCalls }) => isOwner && mayHaveCalls),
    // Those of a switch that is not configured any more need not wait for it.
    mayFireTimers: (switchName: string) =>
      readers.find(({ name }) => name === switchName)?.reader.mayFireTimers ?? true,
    drainedSwitches: drainedSwitches({ calls, runner, switches: switches.all, isOwner, log }),
    lostSwitches: createLostSwitches({ contacts, calls, runner, switches: switches.all, lostMs, machineClock, log }),
  };
}
