// A token refresh, with its durable write, beside the same way through the product without a write and beside a sign-in
// with its argon2: in one run, turn by turn.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startStack } from '@parley/local';
import { newTokens, refresh, registerApp, tokenRequest } from '../identity/app.ts';
import { newPerson, type Person, signIn } from '../identity/people.ts';
import { visit } from '../identity/visitor.ts';
import { cpuTimeMs } from './cpu-time.ts';

const ROUNDS = 3;
const WORKERS = 16;
const REQUESTS = 1600;
const SIGN_INS = 64;

interface Subject {
  readonly name: string;
  readonly requests: number;
  /** The next request of one of the workers. */
  readonly send: (worker: number) => Promise<void>;
}

export async function benchmarkRefreshToken(): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), 'parley-bench-'));
  const stack = await startStack({ dataDir: path.join(folder, 'stack'), processes: 'separate' });
  try {
    process.env['PARLEY_E2E_STACK'] = JSON.stringify({
      base_url: stack.baseUrl,
      operator_url: stack.operatorUrl,
      operator_token: stack.operatorToken,
      sandbox_url: stack.sandboxUrl,
    });
    const person = await newPerson();
    const people = await Promise.all(Array.from({ length: WORKERS }, () => newPerson()));
    const subjects = [await revoking(), await refreshing(person), signingIn(people, stack.baseUrl)];
    const pids = () => stack.processes().flatMap(({ pid }) => pid ?? []);
    for (const subject of subjects) await measure(subject, pids); // warm up
    const results: Measured[][] = subjects.map(() => []);
    for (let round = 0; round < ROUNDS; round++) {
      for (const [index, subject] of subjects.entries()) results[index]?.push(await measure(subject, pids));
    }
    const medians = results.map(median);
    subjects.forEach(({ name }, index) => print(name, medians[index]));
    const ratio = (medians[1]?.cpuMsPerRequest ?? 0) / (medians[0]?.cpuMsPerRequest ?? 1);
    console.log(`refresh / the same way without a write, CPU time per request: ${ratio.toFixed(2)}`);
  } finally {
    await stack.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

/** The baseline: a form through the gateway to identity, two indexed reads, no write. */
async function revoking(): Promise<Subject> {
  const app = await registerApp();
  const form = { token: `rt_${'A'.repeat(64)}`, client_id: app.clientId };
  return {
    name: 'revoke (read only)',
    requests: REQUESTS,
    send: async () => expectStatus((await tokenRequest(form, '/oauth/revoke')).status),
  };
}

/** Each worker has a grant of its own and goes on from the token it got last. */
async function refreshing(person: Person): Promise<Subject> {
  const app = await registerApp();
  await signIn(person);
  const chains: string[] = [];
  for (let n = 0; n < WORKERS; n++) chains.push((await newTokens(person, app)).refresh_token);
  return {
    name: 'refresh',
    requests: REQUESTS,
    async send(worker) {
      const { status, body } = await refresh(app, chains[worker] ?? '');
      expectStatus(status);
      chains[worker] = body.refresh_token;
    },
  };
}

/** Somebody else for each worker: sign-ins under way count as guesses until they have succeeded. */
function signingIn(people: readonly Person[], baseUrl: string): Subject {
  return {
    name: 'sign in (argon2)',
    requests: SIGN_INS,
    async send(worker) {
      const person = people[worker];
      if (person) expectStatus((await signIn({ ...person, ...visit(baseUrl) })).status);
    },
  };
}

interface Measured {
  readonly cpuMsPerRequest: number;
  readonly requestsPerSecond: number;
  readonly p99Ms: number;
}

async function measure({ requests, send }: Subject, pids: () => number[]): Promise<Measured> {
  const latencies: number[] = [];
  const before = cpuTimeMs(pids());
  const started = performance.now();
  await Promise.all(
    Array.from({ length: WORKERS }, async (_, worker) => {
      for (let n = 0; n < requests / WORKERS; n++) {
        const sent = performance.now();
        await send(worker);
        latencies.push(performance.now() - sent);
      }
    }),
  );
  const seconds = (performance.now() - started) / 1000;
  const sorted = latencies.toSorted((a, b) => a - b);
  return {
    cpuMsPerRequest: (cpuTimeMs(pids()) - before) / requests,
    requestsPerSecond: requests / seconds,
    p99Ms: sorted[Math.floor(sorted.length * 0.99)] ?? 0,
  };
}

function median(results: readonly Measured[]): Measured | undefined {
  return results.toSorted((a, b) => a.cpuMsPerRequest - b.cpuMsPerRequest)[Math.floor(results.length / 2)];
}

function print(name: string, measured: Measured | undefined): void {
  if (!measured) return;
  const { cpuMsPerRequest, requestsPerSecond, p99Ms } = measured;
  console.log(
    `${name.padEnd(20)} ${cpuMsPerRequest.toFixed(2)} ms CPU/request, ${requestsPerSecond.toFixed(0)} requests/s, p99 ${p99Ms.toFixed(1)} ms`,
  );
}

function expectStatus(status: number): void {
  if (status !== 200) throw new Error(`answered ${status}`);
}
