import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** The ports that people, clients and switches use. */
export interface Ports {
  readonly public: number;
  readonly operator: number;
  readonly sandbox: number;
  readonly switch: number;
}

const PURPOSES = {
  public: 'the public gateway',
  operator: 'the operator API',
  sandbox: 'the sandbox',
  switch: 'switches at call-control',
} as const;

export function portsFrom(first: number): Ports {
  return { public: first, operator: first + 1, sandbox: first + 2, switch: first + 3 };
}

/** Fails with one clear line when a port cannot be had within `waitMs`. */
export async function checkPorts(ports: Ports, waitMs: number): Promise<void> {
  const deadline = performance.now() + waitMs;
  for (const purpose of ['public', 'operator', 'sandbox', 'switch'] as const)
    await checkPort(ports[purpose], PURPOSES[purpose], deadline);
}

/** The same for one port. `deadline`: a time of `performance.now()`. */
export async function checkPort(port: number, purpose: string, deadline: number): Promise<void> {
  for (;;) {
    const problem = await listenProblem(port);
    if (!problem) return;
    if (performance.now() >= deadline)
      throw new Error(`port ${port} for ${purpose} ${problem}; set PARLEY_PORT to another one`);
    await sleep(50);
  }
}

function listenProblem(port: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', ({ code }: NodeJS.ErrnoException) => {
      resolve(code === 'EADDRINUSE' ? 'is taken' : `cannot be used (${code})`);
    });
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(undefined)));
  });
}
