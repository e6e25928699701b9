import { setTimeout as sleep } from 'node:timers/promises';
import { withTimeout } from '@parley/clock';
import type { Logger } from '@parley/telemetry';
import { VERSION } from './version.ts';

export type Health = 'starting' | 'ready' | 'draining' | 'stopped';

/** A named health check; one that throws, returns false or times out fails. */
export interface HealthCheck {
  name: string;
  /**
   * Requests can be served without it. Such a service is ready although the check fails: taking every replica out of rotation
   * because one dependency is down would turn a delay into an outage.
   */
  optional?: boolean;
  check: () => Promise<boolean> | boolean;
}

/** A service registers its components here while it starts; they are stopped in reverse order. */
export type Lifecycle = Omit<OwnedLifecycle, 'started' | 'stop' | 'crashed'>;

/** A lifecycle with the controls for the code that starts the service. */
export type OwnedLifecycle = ReturnType<typeof createLifecycle>;

interface StopHook {
  readonly name: string;
  readonly stop: () => void | Promise<void>;
}

const CHECK_TIMEOUT_MS = 1000;
/** A component that takes longer is skipped, so that the others can still be stopped; HTTP and gRPC give requests in flight 8 s. */
const COMPONENT_STOP_LIMIT_MS = 8500;

/** The lifecycle of a service that is about to start. */
export function createLifecycle({ ownsProcess = false, componentStopLimitMs = COMPONENT_STOP_LIMIT_MS } = {}) {
  const components: StopHook[] = [];
  const checks: HealthCheck[] = [];
  const addresses: Record<string, string> = {};
  let drainMs = 0;
  let log: Logger | undefined;
  let crashes: { add(count: number): void } | undefined;
  let health: Health = 'starting';
  let stopped: Promise<void> | undefined;
  const stopping = new AbortController();

  async function stopComponent({ name, stop }: StopHook): Promise<void> {
    try {
      const ended = await withTimeout(componentStopLimitMs, (async () => (await stop(), true))());
      if (!ended) log?.error({ component: name }, 'did not stop in time');
    } catch (error) {
      log?.error({ err: error, component: name }, 'could not stop cleanly');
    }
  }

  async function stopAll(): Promise<void> {
    const wasReady = health === 'ready';
    health = 'draining';
    log?.info({ drain_ms: drainMs }, 'stopping');
    stopping.abort();
    // A load balancer needs a moment to see that the service is not ready, and sends requests until then.
    if (wasReady && drainMs > 0) await sleep(drainMs);
    for (let component = components.pop(); component; component = components.pop()) await stopComponent(component);
    health = 'stopped';
  }

  return {
    /**
     * Registers how to stop something; called in reverse order, each exactly once. What is started after the stop began is
     * stopped at once.
     */
    defer(name: string, stop: StopHook['stop']): void {
      if (health === 'stopped') stopComponent({ name, stop }).catch(() => {}); // logs its own failure
      else components.push({ name, stop });
    },
    /** The log of start, stop and their errors, and the metric of crashes. */
    reportTo(givenLog: Logger, givenCrashes?: typeof crashes): void {
      log = givenLog;
      crashes = givenCrashes;
    },
    /** Adds an address of the service to the log line of its start. */
    listening: (name: string, address: string) => void (addresses[name] = address),
    /** The service continues to serve for this time after the stop begins, while it is not ready. */
    drainFor: (milliseconds: number) => void (drainMs = milliseconds),
    addCheck: (check: HealthCheck) => void checks.push(check),
    health: () => health,
    /** True when the process has no other service, so that process-wide resources may be used. */
    ownsProcess,
    /** Every check by name; ready when the service has started and all required checks pass. */
    async readiness(): Promise<{ health: Health; ready: boolean; checks: Record<string, boolean> }> {
      const results = await Promise.all(
        checks.map(async ({ name, optional = false, check }) => ({ name, optional, ok: await isMet(check) })),
      );
      const ready = health === 'ready' && results.every(({ ok, optional }) => ok || optional);
      return { health, ready, checks: Object.fromEntries(results.map(({ name, ok }) => [name, ok])) };
    },
    started(): void {
      if (health !== 'starting') return;
      health = 'ready';
      log?.info({ version: VERSION, listening: addresses }, 'started');
    },
    /** Counts and logs an unhandled error; false when there is no log yet. The process is to be stopped after it. */
    crashed(event: string, error: unknown): boolean {
      crashes?.add(1);
      log?.fatal({ err: error, event }, 'unhandled error, stopping');
      return log !== undefined;
    },
    /** Aborted when the stop begins, to end waits for dependencies. */
    stopping: stopping.signal,
    stop: () => (stopped ??= stopAll()),
  };
}

async function isMet(check: HealthCheck['check']): Promise<boolean> {
  const result = (async () => check())();
  return (await withTimeout(CHECK_TIMEOUT_MS, result).catch(() => false)) ?? false;
}
