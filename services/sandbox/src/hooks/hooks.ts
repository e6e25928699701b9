import type { IncomingHttpHeaders } from 'node:http';
import { answerAt, defaultPlan, type HookAnswer, type HookPlan } from './hook-plan.ts';

/** One request as it came in. */
export interface Reception {
  readonly receivedAt: Date;
  readonly headers: IncomingHttpHeaders;
  readonly rawBody: string;
  /** The status that was given; null while the sender still waits, and for ever when it left first. */
  answered: number | null;
}

/** Every webhook receiver by its name, in memory. */
export interface Hooks {
  /** Sets what a receiver answers from now on; what it has received stays. */
  plan(name: string, plan: HookPlan): void;
  /** Takes a request in and says what to answer, after how long; the caller sets `answered` when it has. */
  receive(
    name: string,
    request: Omit<Reception, 'answered'>,
  ): { reception: Reception; answer: HookAnswer; delayMs: number };
  /** In order of arrival. */
  received(name: string): readonly Reception[];
  /** Forgets what was received and what was to be answered. A request that waits still gets its answer. */
  forget(name: string): void;
}

interface Hook {
  plan: HookPlan;
  /** Requests since the plan was set. */
  answeredCount: number;
  receptions: Reception[];
}

/** A receiver that nobody empties keeps this many requests, the latest. */
const RECEPTIONS_MAX = 100_000;

export function createHooks(): Hooks {
  const hooks = new Map<string, Hook>();
  const hookOf = (name: string): Hook => {
    const known = hooks.get(name);
    if (known) return known;
    const hook: Hook = { plan: defaultPlan, answeredCount: 0, receptions: [] };
    hooks.set(name, hook);
    return hook;
  };
  return {
    plan(name, plan) {
      const hook = hookOf(name);
      hook.plan = plan;
      hook.answeredCount = 0;
    },
    receive(name, request) {
      const hook = hookOf(name);
      const reception: Reception = { ...request, answered: null };
      hook.receptions.push(reception);
      if (hook.receptions.length > RECEPTIONS_MAX) hook.receptions.shift();
      // Chosen at arrival, so that two requests that wait at once get two different answers.
      const answer = answerAt(hook.plan, hook.answeredCount);
      hook.answeredCount += 1;
      return { reception, answer, delayMs: hook.plan.delayMs };
    },
    received: (name) => hooks.get(name)?.receptions ?? [],
    forget: (name) => void hooks.delete(name),
  };
}
