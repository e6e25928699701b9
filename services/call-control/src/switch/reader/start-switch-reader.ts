import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '@parley/clock';
import { isUnreachable } from '@parley/mongo';
import type { Logger } from '@parley/telemetry';
import type { Calls } from '../../calls/store/call-store.ts';
import type { LegEventHandler } from './leg-event-handler.ts';
import { type Registrations, UNKNOWN_SESSION } from '../../presence/registrations.ts';
import { EVENTS } from '../connection/allow-list.ts';
import { eventGate } from './event-gate.ts';
import type { LostPhone } from './phones.ts';
import { readSwitchEvent, type SwitchEvent } from '../connection/read-switch-event.ts';
import { reconcileCalls, takeUnknownLegs } from './reconcile-calls.ts';
import { watchCalls } from './watch-calls.ts';
import type { SocketConnection } from '../connection/socket-client.ts';
import type { SwitchAddress } from '@parley/event-socket';
import type { Switch } from '../connection/switch-client.ts';
import type { SwitchContacts, SwitchLeases } from './switch-store.ts';
import { openSwitchLink, type SwitchLink } from '../connection/switch-link-client.ts';
import { readCoreUuid, readLegs, readPhones } from '../connection/switch-state.ts';
import { timerGate } from './timer-gate.ts';
import { legOf, repairCalls, type SetAside } from './unapplied-events.ts';

interface SwitchReaderDeps {
  readonly switch: Switch;
  readonly address: SwitchAddress;
  readonly leases: SwitchLeases;
  readonly contacts: Pick<SwitchContacts, 'reached'>;
  readonly calls: Calls;
  readonly legEvents: LegEventHandler;
  readonly registrations: Registrations;
  readonly onPhoneLost: (phone: LostPhone) => Promise<void>;
  /** A phone is registered whose contact is not dialled; reported as often as it is seen. */
  readonly onUndialable: (phone: { switchName: string; employeeId: string; callId: string }) => void;
  readonly sipDomain: string;
  readonly clock: Clock;
  readonly machineClock: Clock;
  /** Timers of the switch's calls may fire from now on. */
  readonly onReconciled: () => void;
  /** Counts legs whose end was not reported. */
  readonly onRepaired: (legs: number) => void;
  readonly setAside: SetAside;
  readonly log: Logger;
}

/** Reads a switch's events while this process owns it. */
export type SwitchReader = ReturnType<typeof startSwitchReader>;

/** Well below the lease: one that could not be renewed in time is another process's. */
const RENEW_MS = 1500;
/** A free lease is taken soon: callers wait for 15 s. */
const TAKE_MS = 300;
const PHONES_EVERY_MS = 5000;
/** Nothing has to be renewed while a switch has no phones. */
const NO_PHONES_EVERY_MS = 30_000;

/** Takes the lease of a switch whenever it is free, and reads the switch's events while it lasts. */
export function startSwitchReader(deps: SwitchReaderDeps) {
  const { leases, contacts, machineClock, log, address } = deps;
  const { name } = deps.switch;
  const stopping = new AbortController();
  let link: SwitchLink | undefined;
  const core = openCore();
  /** Legs whose calls are compared with the switch because an event of theirs was set aside, and how often that failed. */
  const toRepair = new Map<string, number>();
  const gate = eventGate<ReadEvent>({
    machineClock,
    handle: (read) => applyEvent(deps, read, core.uuid, toRepair),
    onOverflow: ({ connection }) => connection.close(),
  });
  /** See `onIdle`. */
  let idleAt = -1;
  const timers = timerGate({ machineClock, isOwner: () => gate.isOwner });

  async function renew(): Promise<void> {
    const ownership = await leases.take(name, deps.switch.isReachable);
    if (!ownership) gate.lost();
    // Events from the time when another process owned the switch are recovered by asking the switch.
    if (!ownership || !gate.renewed(ownership)) {
      await link?.stop();
      link = undefined;
    }
    if (!ownership || link) return;
    timers.taken();
    link = read();
  }

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      await renew().catch((error: unknown) =>
        log.warn({ err: error, switch: name }, 'the lease of the switch could not be renewed'),
      );
      await sleep(gate.isOwner ? RENEW_MS : TAKE_MS, undefined, { signal: stopping.signal }).catch(() => {});
    }
    await link?.stop();
    await leases.release(name).catch(() => {});
  }

  function read(): SwitchLink {
    return openSwitchLink({
      name,
      address,
      subscription: EVENTS.join(' '),
      machineClock,
      log,
      onEvent(event, connection) {
        const meaning = readSwitchEvent(event);
        if (meaning) gate.offer({ meaning, connection });
      },
      onFailed: () => timers.notConnected(),
      async onUp(connection) {
        timers.connected();
        const ended = connection.ended.then(() => {
          timers.disconnected();
          idleAt = -1;
          core.forget();
        });
        const coreUuid = await readCoreUuid(connection);
        await contacts.reached(name);
        core.set(coreUuid);
        await Promise.all([followCalls(connection, coreUuid), followPhones(deps, connection)]);
        await ended;
      },
    });
  }

  async function followCalls(connection: SocketConnection, coreUuid: string): Promise<void> {
    const listed = await readLegs(connection);
    const reconcile = async () => {
      await reconcileCalls(deps, connection, coreUuid, listed);
      if (!connection.isOpen) return;
      timers.reconciled();
      if (timers.isOpen) deps.onReconciled();
    };
    // Callers who wait to be answered come first: the switch releases them after 15 s.
    const arrivals = takeUnknownLegs(deps, connection, coreUuid, listed);
    await Promise.all([arrivals, reconcile()]);
    const onIdle = (handled: number) => {
      idleAt = connection.isOpen ? handled : -1;
    };
    await Promise.all([
      watchCalls({ ...deps, onIdle }, connection, coreUuid),
      repairCalls(deps, connection, coreUuid, toRepair),
    ]);
  }

  const running = run();
  return {
    get isOwner() {
      return gate.isOwner;
    },
    /** False while it is known that the switch has no open call with legs. */
    get mayHaveCalls() {
      return idleAt !== deps.legEvents.handled;
    },
    /** True when timers of the switch's calls may fire in this process. */
    get mayFireTimers() {
      return timers.isOpen;
    },
    async stop(): Promise<void> {
      stopping.abort();
      await running;
    },
  };
}

/** The run of the switch's process: known after the first answer of a connection; arrivals before it wait. */
function openCore() {
  let known = Promise.withResolvers<string>();
  return {
    uuid: () => known.promise,
    set: (coreUuid: string) => known.resolve(coreUuid),
    forget: () => void (known = Promise.withResolvers<string>()),
  };
}

interface ReadEvent {
  readonly meaning: SwitchEvent;
  readonly connection: SocketConnection;
}

function applyEvent(
  deps: SwitchReaderDeps,
  { meaning, connection }: ReadEvent,
  coreUuid: () => Promise<string>,
  toRepair: Map<string, number>,
): void {
  const { name } = deps.switch;
  takeEvent(deps, meaning, coreUuid)
    .catch(async (error: unknown) => {
      // Without the database no event can be applied: all calls are reconciled after the next connect.
      if (isUnreachable(error)) throw error;
      const legId = legOf(meaning);
      if (legId !== null) toRepair.set(legId, 0);
      await deps.setAside(name, meaning, error);
    })
    .catch((error: unknown) => {
      deps.log.error({ err: error, switch: name, event: meaning.type }, 'an event of the switch was not applied');
      connection.close();
    });
}

async function takeEvent(deps: SwitchReaderDeps, event: SwitchEvent, coreUuid: () => Promise<string>): Promise<void> {
  const { legEvents, registrations, sipDomain, onPhoneLost } = deps;
  switch (event.type) {
    case 'shutting_down':
      return deps.log.warn({ switch: deps.switch.name }, 'the switch is shutting down');
    case 'registration': {
      if (event.domain !== sipDomain) return;
      const { user: employeeId, callId, address, softphoneSessionId } = event;
      if (event.change === 'undialable') deps.onUndialable({ switchName: deps.switch.name, employeeId, callId });
      if (event.change !== 'registered') await onPhoneLost({ employeeId, callId, address });
      return registrations.onRegistration(
        deps.switch.name,
        event.change === 'registered'
          ? { type: 'registered', registration: { employeeId, callId, address: address ?? '', softphoneSessionId } }
          : { type: 'unregistered', registration: { employeeId, callId } },
      );
    }
    default:
      return legEvents.handle(event, { switch: deps.switch, coreUuid: await coreUuid() });
  }
}

/** Presence follows registrations; the list renews known registrations and adds missed ones. */
async function followPhones(deps: SwitchReaderDeps, connection: SocketConnection): Promise<void> {
  const { registrations, machineClock, sipDomain } = deps;
  let noPhonesSince: Date | undefined;
  while (connection.isOpen) {
    const requestedAt = machineClock.now();
    const phones = (await readPhones(connection)).filter(({ domain }) => domain === sipDomain);
    const listed = phones.flatMap(({ user: employeeId, callId, contact }) => {
      if (contact) return [{ employeeId, callId, address: contact.address, softphoneSessionId: UNKNOWN_SESSION }];
      deps.onUndialable({ switchName: deps.switch.name, employeeId, callId });
      return [];
    });
    const isKnown = noPhonesSince && requestedAt.getTime() - noPhonesSince.getTime() < NO_PHONES_EVERY_MS;
    if (listed.length > 0 || !isKnown) {
      await registrations.reconcile(deps.switch.name, listed, requestedAt).catch((error: unknown) => {
        if (isUnreachable(error)) throw error;
        deps.log.error({ err: error, switch: deps.switch.name }, 'a phone could not be reconciled with the switch');
      });
      noPhonesSince = listed.length > 0 ? undefined : requestedAt;
    }
    await Promise.race([sleep(PHONES_EVERY_MS, undefined, { ref: false }), connection.ended]);
  }
}
