import type { IncomingHttpHeaders } from 'node:http';
import { responseAt, defaultPlan, type HookResponse, type HookPlan } from './hook-plan.ts';

/** A request that a receiver got. */
export interface ReceivedRequest {
  readonly receivedAt: Date;
  readonly headers: IncomingHttpHeaders;
  readonly rawBody: string;
  /** The status of the response; null while the sender waits, and when it disconnected first. */
  answered: number | null;
}

/** Every webhook receiver by its name, in memory. */
export type Hooks = ReturnType<typeof createHooks>;

interface Hook {
  plan: HookPlan;
  /** Requests since the plan was set. */
  answeredCount: number;
  requests: ReceivedRequest[];
}

/** A receiver keeps the latest requests, up to this many. */
const REQUESTS_MAX = 100_000;

export function createHooks() {
  const hooks = new Map<string, Hook>();
  const hookOf = (name: string): Hook => {
    const known = hooks.get(name);
    if (known) return known;
    const hook: Hook = { plan: defaultPlan, answeredCount: 0, requests: [] };
    hooks.set(name, hook);
    return hook;
  };
  return {
    /** Sets the responses of a receiver from now on; what it has received stays. */
    plan(name: string, plan: HookPlan): void {
      const hook = hookOf(name);
      hook.plan = plan;
      hook.answeredCount = 0;
    },
    /** Stores a request and returns its response and delay; the caller sets `answered` once it has responded. */
    receive(
      name: string,
      request: Omit<ReceivedRequest, 'answered'>,
    ): { received: ReceivedRequest; response: HookResponse; delayMs: number } {
      const hook = hookOf(name);
      const received: ReceivedRequest = { ...request, answered: null };
      hook.requests.push(received);
      if (hook.requests.length > REQUESTS_MAX) hook.requests.shift();
      // Chosen on arrival, so that two concurrent requests get consecutive responses.
      const response = responseAt(hook.plan, hook.answeredCount);
      hook.answeredCount += 1;
      return { received, response, delayMs: hook.plan.delayMs };
    },
    names: () => [...hooks.keys()],
    /** In order of arrival. */
    received: (name: string) => hooks.get(name)?.requests ?? [],
    /** Deletes the requests and the plan. A request that waits still gets its response. */
    clear: (name: string) => void hooks.delete(name),
  };
}
