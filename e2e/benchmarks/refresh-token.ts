// A token refresh, with its durable write, beside a request without a write on the same path and beside a sign-in with its
// argon2: interleaved in one run.
import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { newTokens, registerApp, type Tokens } from '../identity/app.ts';
import { newPerson, type Person, signIn } from '../identity/people.ts';
import { visit } from '../identity/visitor.ts';
import { withStack } from './bench-stack.ts';
import { countCpuTime, idleCpuTime, interleaved, percentile, printRounds, type Round } from './measuring.ts';

const ROUNDS = 3;
/** Concurrent requests, as in the benchmark of contact changes. */
const WORKERS = 32;
const REQUESTS = 800;
/**
 * Enough that none is refreshed more often than a grant keeps access tokens (ten), including the warm-up: no list in a document
 * reaches its cap.
 */
const GRANTS_PER_WORKER = Math.ceil(((ROUNDS + 1) * REQUESTS) / WORKERS / 9);
const CPU_MS_MAX = 4;
const REFRESHES_PER_SECOND_MIN = 400;
const SIGN_INS = 64;
/** The baseline revokes, which counts against the address like a failed request. */
const WITHOUT_FLOOD_LIMIT = { PAGE_FAILURES_BURST: '1000000' };

interface Subject {
  readonly name: string;
  readonly requests: number;
  /** The next request of one of the workers. */
  readonly send: (worker: number) => Promise<void>;
}

export function benchmarkRefreshToken(): Promise<void> {
  return withStack({ processes: 'separate', environment: WITHOUT_FLOOD_LIMIT }, async ({ local, processes }) => {
    process.env['PARLEY_E2E_STACK'] = JSON.stringify(local);
    const people = await Promise.all(Array.from({ length: WORKERS }, () => newPerson()));
    const subjects = [
      await revoking(local.base_url),
      await refreshing(people, local.base_url),
      signingIn(people, local.base_url),
    ];
    const idleMs = await idleCpuTime(Object.values(processes()));
    const rounds = await interleaved(subjects, ROUNDS, (subject) => measure(subject, processes()));
    printRounds('refresh-token', subjects, rounds);
    const ratio = (rounds[1]?.cpuMsPerRequest ?? 0) / (rounds[0]?.cpuMsPerRequest ?? 1);
    const { cpuMsPerRequest = 0, requestsPerSecond = 1 } = rounds[1] ?? {};
    console.log(
      `refresh / the same path without a write, CPU time per request: ${ratio.toFixed(2)}; ` +
        `${cpuMsPerRequest.toFixed(2)} ms (at most ${CPU_MS_MAX} wanted), ` +
        `of which idle processes use ${(idleMs / requestsPerSecond).toFixed(2)} anyway; ` +
        `${requestsPerSecond.toFixed(0)}/s (at least ${REFRESHES_PER_SECOND_MIN} wanted)`,
    );
  });
}

/** The baseline: a form through the gateway to identity, two indexed reads, no write. */
async function revoking(baseUrl: string): Promise<Subject> {
  const { clientId } = await registerApp();
  const form = { token: `rt_${'A'.repeat(64)}`, client_id: clientId };
  return {
    name: 'revoke (read only)',
    requests: REQUESTS,
    send: async () => void (await postForm(`${baseUrl}/oauth/revoke`, form)),
  };
}

/** Each worker has its own grants, refreshes them in turn, and continues with its latest tokens. */
async function refreshing(people: readonly Person[], baseUrl: string): Promise<Subject> {
  const app = await registerApp();
  const grants = await Promise.all(
    people.map(async (person) => {
      await signIn(person);
      const own: string[] = [];
      for (let n = 0; n < GRANTS_PER_WORKER; n++) own.push((await newTokens(person, app)).refresh_token);
      return own;
    }),
  );
  return {
    name: 'refresh',
    requests: REQUESTS,
    async send(worker) {
      const own = grants[worker] ?? [];
      const form = { grant_type: 'refresh_token', client_id: app.clientId, refresh_token: own.shift() ?? '' };
      const tokens = JSON.parse(await postForm(`${baseUrl}/oauth/token`, form)) as Tokens;
      own.push(tokens.refresh_token);
    },
  };
}

const agent = new Agent({ keepAlive: true });

/** With node:http: fetch would use a third of the machine that the stack shall use. */
async function postForm(url: string, fields: Record<string, string>): Promise<string> {
  const body = new URLSearchParams(fields).toString();
  const headers = { 'Content-Type': 'application/x-www-form-urlencoded', 'Content-Length': body.length };
  const sent = request(url, { method: 'POST', agent, headers }).end(body);
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  const answer = await text(response);
  expectStatus(response.statusCode ?? 0);
  return answer;
}

/** A separate employee for each worker: sign-ins in progress count as guesses until they have succeeded. */
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

async function measure({ requests, send }: Subject, processes: Readonly<Record<string, number>>): Promise<Round> {
  const latenciesMs: number[] = [];
  const cpuTime = countCpuTime(processes);
  const started = performance.now();
  await Promise.all(
    Array.from({ length: WORKERS }, async (_, worker) => {
      for (let n = 0; n < requests / WORKERS; n++) {
        const sent = performance.now();
        await send(worker);
        latenciesMs.push(performance.now() - sent);
      }
    }),
  );
  const seconds = (performance.now() - started) / 1000;
  const msByProcess = cpuTime(requests);
  return {
    msByProcess,
    cpuMsPerRequest: Object.values(msByProcess).reduce((sum, ms) => sum + ms, 0),
    requestsPerSecond: requests / seconds,
    p99Ms: percentile(latenciesMs, 0.99),
  };
}

function expectStatus(status: number): void {
  if (status !== 200) throw new Error(`answered ${status}`);
}
