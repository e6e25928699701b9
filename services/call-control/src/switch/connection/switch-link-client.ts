import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '@parley/clock';
import type { SocketEvent, SwitchAddress } from '@parley/event-socket';
import type { Logger } from '@parley/telemetry';
import { connectSocket, LoginRefused, type SocketConnection, SwitchUnreachable } from './socket-client.ts';

/** A connection that is made again whenever it ends. */
export interface SwitchLink {
  /** Throws `SwitchUnreachable` while there is none. */
  connection(): SocketConnection;
  readonly isUp: boolean;
  /** Nothing has listened at the switch's address since then; undefined when the last attempt ended otherwise. */
  readonly refusedSince: Date | undefined;
  stop(): Promise<void>;
}

interface SwitchLinkOptions {
  readonly name: string;
  readonly address: SwitchAddress;
  readonly subscription: string;
  readonly machineClock: Clock;
  readonly log: Logger;
  readonly onEvent?: (event: SocketEvent, connection: SocketConnection) => void;
  /** Runs after an attempt to connect that has failed. */
  readonly onFailed?: () => void;
  /** Runs after each connect. What it throws ends the connection. */
  readonly onUp?: (connection: SocketConnection) => Promise<void>;
}

const FIRST_DELAY_MS = 200;
/** A switch that was restarted is detected soon enough to end its calls in time. */
const DELAY_MAX_MS = 2000;
/** A refused login is not repeated all the time. */
const LOGIN_DELAY_MS = 5000;
/** A connection that lasted this long was a good one: the next attempt is quick again. */
const STABLE_MS = 30_000;

/** Keeps a connection to a switch. */
export function openSwitchLink(options: SwitchLinkOptions): SwitchLink {
  const { name, address, subscription, machineClock, log, onEvent, onFailed, onUp } = options;
  const stopping = new AbortController();
  const { signal } = stopping;
  let current: SocketConnection | undefined;
  let delayMs = FIRST_DELAY_MS;
  let refusedSince: Date | undefined;
  /** Why it was not reached, as it was logged: once, until that changes. */
  let loggedReason: string | undefined;

  async function connectOnce(): Promise<void> {
    const opening: { connection?: SocketConnection } = {};
    /** Events may arrive with the reply to the subscription, before the connection is returned. */
    const early: SocketEvent[] = [];
    const receive = (event: SocketEvent) => {
      if (!opening.connection) return void early.push(event);
      try {
        onEvent?.(event, opening.connection);
      } catch (error) {
        log.error({ err: error, switch: name }, 'an event of the switch could not be taken');
      }
    };
    const opened = await connectSocket({ address, subscription, onEvent: receive, signal });
    refusedSince = undefined;
    loggedReason = undefined;
    opening.connection = opened;
    early.forEach(receive);
    const upSince = performance.now();
    current = opened;
    log.info({ switch: name }, 'connected to the switch');
    const up = onUp?.(opened).catch((error: unknown) => {
      if (!signal.aborted) log.warn({ err: error, switch: name }, 'the switch could not be read; connecting again');
      opened.close();
    });
    const reason = await opened.ended;
    current = undefined;
    await up;
    if (!signal.aborted) log.warn({ switch: name, reason }, 'connection to the switch lost');
    if (performance.now() - upSince > STABLE_MS) delayMs = FIRST_DELAY_MS;
  }

  async function run(): Promise<void> {
    while (!signal.aborted) {
      try {
        await connectOnce();
      } catch (error) {
        onFailed?.();
        const isRefused = error instanceof SwitchUnreachable && error.isRefused;
        refusedSince = isRefused ? (refusedSince ?? machineClock.now()) : undefined;
        if (error instanceof LoginRefused) {
          log.error({ switch: name }, 'the switch refused the login');
          delayMs = LOGIN_DELAY_MS;
        } else if (error instanceof SwitchUnreachable) {
          if (!signal.aborted && loggedReason !== error.message)
            log.warn({ switch: name, reason: error.message }, 'the switch cannot be reached; trying again');
          loggedReason = error.message;
        } else log.error({ err: error, switch: name }, 'no connection to the switch');
      }
      if (signal.aborted) return;
      // Jitter: replicas that lost the switch together do not reconnect together.
      await sleep(delayMs * (0.8 + Math.random() * 0.4), undefined, { signal }).catch(() => {});
      delayMs = Math.min(delayMs * 2, DELAY_MAX_MS);
    }
  }

  const running = run();
  return {
    connection() {
      if (!current) throw new SwitchUnreachable('there is no connection to the switch', false);
      return current;
    },
    get isUp() {
      return current !== undefined;
    },
    get refusedSince() {
      return refusedSince;
    },
    async stop() {
      stopping.abort();
      current?.close();
      await running;
    },
  };
}
