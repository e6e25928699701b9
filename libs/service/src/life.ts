import type { Logger } from '@parley/telemetry';

/** How a service is doing, by name. */
export type Health = 'starting' | 'ready' | 'draining' | 'stopped';

/** A named question that must be answered before a service counts as ready; throws or answers false when not. */
export interface ReadinessCheck {
  name: string;
  check: () => Promise<boolean> | boolean;
}

/** What a service hands its parts to while it starts, and what stops them, last first. */
export interface Life {
  /** Registers how to stop something; called in reverse order, each exactly once. */
  defer(name: string, stop: () => void | Promise<void>): void;
  /** Adds a question to the readiness answer. */
  addCheck(check: ReadinessCheck): void;
  readonly health: () => Health;
  /** Every check by name; ready only when all are. */
  readiness(): Promise<{ health: Health; ready: boolean; checks: Record<string, boolean> }>;
}

/** A life and the reins to it, for whoever starts the service. */
export interface OwnedLife extends Life {
  started(): void;
  stop(log: Logger | undefined): Promise<void>;
}

const CHECK_TIMEOUT_MS = 1000;

export function createLife(): OwnedLife {
  const stops: { name: string; stop: () => void | Promise<void> }[] = [];
  const checks: ReadinessCheck[] = [];
  let health: Health = 'starting';
  let stopping: Promise<void> | undefined;

  async function stopAll(log: Logger | undefined): Promise<void> {
    health = 'draining';
    for (const { name, stop } of stops.reverse()) {
      try {
        await stop();
      } catch (error) {
        log?.error({ err: error, part: name }, 'could not stop cleanly');
      }
    }
    health = 'stopped';
  }

  return {
    defer: (name, stop) => void stops.push({ name, stop }),
    addCheck: (check) => void checks.push(check),
    health: () => health,
    async readiness() {
      const answers = await Promise.all(
        checks.map(async ({ name, check }) => [name, await within(CHECK_TIMEOUT_MS, check)] as const),
      );
      const ready = health === 'ready' && answers.every(([, ok]) => ok);
      return { health, ready, checks: Object.fromEntries(answers) };
    },
    started() {
      health = 'ready';
    },
    stop: (log) => (stopping ??= stopAll(log)),
  };
}

async function within(limitMs: number, check: ReadinessCheck['check']): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => (timer = setTimeout(resolve, limitMs, false)));
  try {
    return await Promise.race([Promise.resolve(check()), late]);
  } catch {
    return false;
  } finally {
    clearTimeout(timer);
  }
}
