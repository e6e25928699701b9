import type { Logger } from '@parley/telemetry';

/** How a service is doing, by name. */
export type Health = 'starting' | 'ready' | 'draining' | 'stopped';

/** A named health check; one that throws, answers false or takes too long is not met. */
export interface HealthCheck {
  name: string;
  /**
   * Whether requests can be served without it. A service that can is ready although the check is not met: taking every
   * replica out of rotation because one dependency is away would turn a delay into an outage.
   */
  optional?: boolean;
  check: () => Promise<boolean> | boolean;
}

/** What a service hands its parts to while it starts, and what stops them, last first. */
export interface Lifecycle {
  /**
   * Registers how to stop something; called in reverse order, each exactly once. What is started after the stop began is
   * stopped at once.
   */
  defer(name: string, stop: () => void | Promise<void>): void;
  /** Where it is written that something could not be stopped. */
  reportTo(log: Logger): void;
  /** Adds a health check. */
  addCheck(check: HealthCheck): void;
  readonly health: () => Health;
  /** Aborts when the stop begins: whatever waits for something to come up gives up. */
  readonly stopping: AbortSignal;
  /** Every check by name; ready when the service has started and all checks that are not optional are met. */
  readiness(): Promise<{ health: Health; ready: boolean; checks: Record<string, boolean> }>;
}

/** A lifecycle with the controls that whoever starts the service needs. */
export interface OwnedLifecycle extends Lifecycle {
  started(): void;
  stop(): Promise<void>;
}

interface StopHook {
  readonly name: string;
  readonly stop: () => void | Promise<void>;
}

const CHECK_TIMEOUT_MS = 1000;
/** A part that takes longer is left behind, so that the others can still be stopped; gRPC gives its calls five seconds. */
const PART_STOP_LIMIT_MS = 6000;

/** The lifecycle of a service that is about to start. */
export function createLifecycle(partStopLimitMs = PART_STOP_LIMIT_MS): OwnedLifecycle {
  const parts: StopHook[] = [];
  const checks: HealthCheck[] = [];
  let log: Logger | undefined;
  let health: Health = 'starting';
  let stopped: Promise<void> | undefined;
  const stopping = new AbortController();

  async function stopPart({ name, stop }: StopHook): Promise<void> {
    try {
      const ended = await within(partStopLimitMs, async () => {
        await stop();
        return true;
      });
      if (!ended) log?.error({ part: name }, 'did not stop in time');
    } catch (error) {
      log?.error({ err: error, part: name }, 'could not stop cleanly');
    }
  }

  async function stopAll(): Promise<void> {
    health = 'draining';
    stopping.abort();
    for (let part = parts.pop(); part; part = parts.pop()) await stopPart(part);
    health = 'stopped';
  }

  return {
    defer(name, stop) {
      if (health === 'stopped') void stopPart({ name, stop });
      else parts.push({ name, stop });
    },
    reportTo: (given) => void (log = given),
    addCheck: (check) => void checks.push(check),
    health: () => health,
    async readiness() {
      const results = await Promise.all(
        checks.map(async ({ name, optional = false, check }) => ({ name, optional, ok: await isMet(check) })),
      );
      const ready = health === 'ready' && results.every(({ ok, optional }) => ok || optional);
      return { health, ready, checks: Object.fromEntries(results.map(({ name, ok }) => [name, ok])) };
    },
    started() {
      if (health === 'starting') health = 'ready';
    },
    stopping: stopping.signal,
    stop: () => (stopped ??= stopAll()),
  };
}

async function isMet(check: HealthCheck['check']): Promise<boolean> {
  return within(CHECK_TIMEOUT_MS, async () => check()).catch(() => false);
}

/** What `work` answers, or false when it takes longer. */
async function within(limitMs: number, work: () => Promise<boolean>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => (timer = setTimeout(resolve, limitMs, false)));
  return Promise.race([work(), late]).finally(() => clearTimeout(timer));
}
