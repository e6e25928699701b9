import { startBalancer } from './balancer.ts';
import { type LocalJson, type LocalStack, startLocalStack } from './local-stack.ts';
import { processesOfService } from './processes.ts';
import { waitUntil } from '@parley/testkit/wait-until';
import { warmUp } from './warm-up.ts';

/** Time for clients to detect that a replica is not ready; five seconds in the chart. */
const DRAIN_SECS = 2;
const RESTART_WITHIN_MS = 90_000;

/** Two processes of every service but the sandbox. */
export interface ReplicatedStack extends LocalStack {
  /** One per gateway, as `local` of a stack with that one alone. */
  readonly gateways: readonly LocalJson[];
  /** The services with two processes, in the order of their start. */
  readonly services: readonly string[];
  /** Ends each process of a service in turn as Kubernetes does, and waits until its successor is ready. */
  restart(service: string): Promise<void>;
  isReady(process: string): Promise<boolean>;
}

export async function startReplicatedStack(): Promise<ReplicatedStack> {
  const stack = await startLocalStack({ environment: { PARLEY_REPLICAS: '2', DRAIN_SECS: String(DRAIN_SECS) } });
  const replicas = stack.local.replicas ?? {};
  const gateways = Object.values(replicas).flatMap(({ public_url: base_url }) =>
    base_url ? [{ ...stack.local, base_url }] : [],
  );
  try {
    for (const gateway of gateways) await warmUp(gateway);
  } catch (error) {
    await stack.stop();
    throw error;
  }
  const serviceOf = (name: string) => name.split('@')[0]!;
  const services = [...new Set(Object.keys(replicas).map(serviceOf))].filter((service) => service !== 'sandbox');
  const isReady = async (name: string) => {
    const url = `${replicas[name]?.health_url}/healthz/ready`;
    return fetch(url, { signal: AbortSignal.timeout(1000) }).then(
      async (response) => (await response.text(), response.ok),
      () => false,
    );
  };
  const allReady = async (service: string) => {
    const names = Object.keys(replicas).filter((name) => serviceOf(name) === service);
    return (await Promise.all(names.map(isReady))).every(Boolean);
  };
  return {
    ...stack,
    gateways,
    services,
    isReady,
    async restart(service) {
      for (const pid of processesOfService(stack, service)) {
        process.kill(pid, 'SIGTERM');
        const gone = () => !processesOfService(stack, service).includes(pid);
        await waitUntil(async () => gone(), { what: `${service} to stop`, timeoutMs: RESTART_WITHIN_MS });
        await waitUntil(() => allReady(service), { what: `${service} to be back`, timeoutMs: RESTART_WITHIN_MS });
      }
    },
  };
}

/** A request that a load balancer could not have answered. */
export interface Failure {
  readonly path: string;
  readonly gateway: string;
  readonly what: string;
  /** When it was sent and when it failed, by `performance.now()`. */
  readonly sentAt: number;
  readonly failedAt: number;
}

export interface Load {
  stop(): Promise<{ total: number; failures: readonly Failure[] }>;
}

/** Sends requests at a steady rate. */
export function startLoad(
  stack: ReplicatedStack,
  options: { perSecond: number; next: () => { method: string; path: string; body?: unknown }; apiKey: string },
): Load {
  const balancer = startBalancer(stack);
  const failures: Failure[] = [];
  const open = new Set<Promise<void>>();
  let total = 0;

  async function send(): Promise<void> {
    const { method, path, body } = options.next();
    const sentAt = performance.now();
    const { status, text, gateway, failure } = await balancer.send(method, `/api/v1${path}`, {
      body,
      headers: { 'X-Api-Key': options.apiKey },
    });
    const what = failure ?? (status >= 400 ? `${status} ${text.slice(0, 100)}` : undefined);
    if (what !== undefined) failures.push({ path, gateway, what, sentAt, failedAt: performance.now() });
  }

  const timer = setInterval(() => {
    total += 1;
    const sent = send().finally(() => open.delete(sent));
    open.add(sent);
  }, 1000 / options.perSecond);

  return {
    async stop() {
      clearInterval(timer);
      await Promise.all(open);
      await balancer.stop();
      return { total, failures };
    },
  };
}
