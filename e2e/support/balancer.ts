import { setTimeout as sleep } from 'node:timers/promises';
import type { LocalJson } from './local-stack.ts';

/** What became of a request. */
export interface Sent {
  /** 0 without a response. */
  readonly status: number;
  readonly text: string;
  readonly headers: Headers;
  /** The process that had it. */
  readonly gateway: string;
  /** The error without a response. */
  readonly failure?: string;
}

/** Does what a Service of Kubernetes and an ingress do: it sends to gateways that are ready, and tries the next one without a listener. */
export interface Balancer {
  send(method: string, path: string, options: { headers?: Record<string, string>; body?: unknown }): Promise<Sent>;
  stop(): Promise<void>;
}

const LOOK_EVERY_MS = 100;
const TRIES_MAX = 5;

export function startBalancer(stack: {
  readonly local: LocalJson;
  isReady(process: string): Promise<boolean>;
}): Balancer {
  const gateways = Object.entries(stack.local.replicas ?? {}).flatMap(([name, { public_url: url }]) =>
    url ? [{ name, url }] : [],
  );
  let ready = gateways;
  let turn = 0;
  let isStopped = false;
  const looking = (async () => {
    while (!isStopped) {
      const states = await Promise.all(gateways.map(async (one) => ({ one, isReady: await stack.isReady(one.name) })));
      const found = states.filter(({ isReady }) => isReady).map(({ one }) => one);
      if (found.length > 0) ready = found;
      await sleep(LOOK_EVERY_MS);
    }
  })();
  return {
    async send(method, path, { headers, body }) {
      for (let tries = 1; ; tries++) {
        const { name: gateway, url } = ready[turn++ % ready.length]!;
        try {
          const response = await fetch(`${url}${path}`, {
            method,
            headers: { ...headers, ...(body !== undefined && { 'Content-Type': 'application/json' }) },
            ...(body !== undefined && { body: JSON.stringify(body) }),
          });
          const text = await response.text();
          return { status: response.status, text, headers: response.headers, gateway };
        } catch (error) {
          const { code: failure = String(error) } = ((error as Error).cause ?? {}) as { code?: string };
          if (failure !== 'ECONNREFUSED' || tries === TRIES_MAX)
            return { status: 0, text: '', headers: new Headers(), gateway, failure };
        }
      }
    },
    async stop() {
      isStopped = true;
      await looking;
    },
  };
}
