import { readdirSync, readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { freePort } from '@parley/embedded';
import { waitUntil } from '@parley/testkit/wait-until';
import { type Company, createTestCompany, operate, sandbox } from '../support/api.ts';
import { type LocalStack, startLocalStack } from '../support/local-stack.ts';
import { warmUp } from '../support/warm-up.ts';
import { hostileCase, sendCase } from './hostile-case.ts';
import { type HostileSwitch, startHostileSwitch } from './hostile-switch.ts';
import { httpBytes, webSocketBytes } from './http-cases.ts';
import { eventSocketBytes, grpcBytes, smtpBytes } from './line-cases.ts';
import { type Random, seededRandom } from '../support/random.ts';
import { listeningPorts, type Protocol, serviceProcesses, type Usage, usageOf } from './service-processes.ts';

/** Another seed tries other cases; the same one repeats a run. */
const SEED = Number(process.env['PARLEY_FUZZ_SEED'] ?? 20_261_116);
const CASES = Number(process.env['PARLEY_FUZZ_CASES'] ?? 10_000);
/** Until then, processes load code and fill caches. */
const WARM_UP_CASES = Math.ceil(CASES / 10);
const AT_ONCE = 24;
/** Connections that say too little, at each HTTP port. */
const SILENT = 5;
/** The accepted growth: connections between services come and go, and memory is freed late. */
const SOCKETS_MORE_MAX = 12;
const MEMORY_MORE_MAX_MB = 150;

let stack: LocalStack;
let company: Company;
let attacker: HostileSwitch;
let ports: Record<Protocol, number[]>;
let before: Map<string, number>;
let login: string;

beforeAll(async () => {
  console.log(`hostile ports: PARLEY_FUZZ_SEED=${SEED} PARLEY_FUZZ_CASES=${CASES}`);
  attacker = await startHostileSwitch(await freePort(), seededRandom(SEED + 1));
  stack = await startLocalStack({
    environment: {
      // With replicas each process has a TCP port for gRPC and one for health.
      PARLEY_REPLICAS: '2',
      PARLEY_REPLICATED: 'webhooks',
      PARLEY_SWITCH: `esl://call-control:password@127.0.0.1:${attacker.port}`,
    },
  });
  await warmUp(stack.local);
  company = await createTestCompany(stack.local);
  before = serviceProcesses(stack);
  ports = await listeningPorts(before);
  const secrets = JSON.parse(readFileSync(path.join(stack.dataDir, 'secrets.json'), 'utf8')) as {
    eventSocketPassword: string;
  };
  login = `userauth call-control:${secrets.eventSocketPassword}`;
}, 400_000);
afterAll(async () => {
  await stack?.stop();
  await attacker?.stop();
});

describe('whatever is sent to the ports of the stack', () => {
  it('every port of the stack is known', () => {
    const urls = Object.values(stack.local.replicas ?? {}).map(({ health_url }) => health_url);
    const known = [stack.local.base_url, stack.local.operator_url, stack.local.sandbox_url, ...urls];
    expect(ports.http).toEqual(expect.arrayContaining(known.map((url) => Number(new URL(url).port))));
    expect(ports.http).toContain(Number(new URL(stack.local.base_url).port) + 3);
    expect([ports.smtp.length, ports['event-socket'].length]).toEqual([1, 1]);
    // Every service but the gateway and the sandbox has one, and webhooks has two replicas; the SIP port of assistants says nothing either.
    expect(ports.grpc).toHaveLength(11);
  });

  it.each(['GET http://[ HTTP/1.1', 'GET * HTTP/1.1', 'G\0T / HTTP/1.1'])(
    'the request %j is answered with an error body of ours at every HTTP port',
    async (line) => {
      for (const port of ports.http) {
        const received = await answerTo(port, `${line}\r\nHost: 127.0.0.1\r\n\r\n`);
        expect([port, received]).toEqual([
          port,
          expect.stringMatching(/^HTTP\/1\.1 400 [^]*\r\n\r\n\{"error":"bad_request"\}$/),
        ]);
      }
    },
  );

  it('whatever is sent to the ports of the stack ends no process, leaves nothing behind, and delays nobody', async () => {
    const random = seededRandom(SEED);
    await send(random, WARM_UP_CASES);
    const usage = usages();
    const silent = ports.http.flatMap((port) => Array.from({ length: SILENT }, (_, at) => sayTooLittle(port, at)));
    const ordinary = serveOrdinaryRequests();
    await send(random, CASES - WARM_UP_CASES);
    const { served, failures } = await ordinary.stop();
    console.log(`hostile ports: ${served} ordinary requests, ${attacker.sent.frames} events of a hostile switch`);

    expect([...serviceProcesses(stack).keys()].toSorted()).toEqual([...before.keys()].toSorted());
    expect(failures).toEqual({});
    expect(served).toBeGreaterThan(20);
    expect(attacker.sent.frames).toBeGreaterThan(100);
    await waitUntil(() => silent.every(({ closed }) => closed), {
      what: 'connections that say too little to be closed',
      timeoutMs: 120_000,
    });
    for (const { socket } of silent) socket.destroy();
    await waitUntil(() => grown(usage).length === 0, {
      what: 'sockets and memory to be free again',
      timeoutMs: 120_000,
    }).catch(() => undefined);
    expect(grown(usage)).toEqual([]);
    expect(loggedDefects()).toEqual([]);
  }, 600_000);
});

/** Everything a server sends until it closes the connection. */
function answerTo(port: number, bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let received = '';
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes));
    socket.setEncoding('latin1').on('data', (text) => (received += text));
    socket.on('error', reject).on('close', () => resolve(received));
  });
}

const usages = () => new Map([...before].map(([name, pid]) => [name, usageOf(pid)]));

/** Processes that have more sockets or memory than at the start. */
function grown(usage: ReadonlyMap<string, Usage>): string[] {
  return [...usages()].flatMap(([name, now]) => {
    const then = usage.get(name)!;
    const [sockets, memory] = [now.sockets - then.sockets, Math.round(now.residentMb - then.residentMb)];
    return sockets > SOCKETS_MORE_MAX || memory > MEMORY_MORE_MAX_MB
      ? [`${name}: ${sockets} sockets, ${memory} MB`]
      : [];
  });
}

async function send(random: Random, count: number): Promise<void> {
  const portOf = (url: string) => Number(new URL(url).port);
  const [publicPort, sandboxPort] = [portOf(stack.local.base_url), portOf(stack.local.sandbox_url)];
  const kinds: readonly (() => [port: number, bytes: Buffer])[] = [
    () => [random.pick(ports.http), httpBytes(random)],
    () => [random.pick(ports.http), httpBytes(random)],
    () => [publicPort, httpBytes(random)],
    () => [publicPort, webSocketBytes(random, { path: '/cable', protocol: 'actioncable-v1-json' })],
    () => [sandboxPort, webSocketBytes(random, { path: '/sip', protocol: 'sip' })],
    () => [random.pick(ports.smtp), smtpBytes(random)],
    () => [random.pick(ports['event-socket']), eventSocketBytes(random, login)],
    () => [random.pick(ports.grpc), grpcBytes(random)],
  ];
  let left = count;
  async function work(): Promise<void> {
    while (left-- > 0) {
      const [port, bytes] = random.pick(kinds)();
      await sendCase(port, hostileCase(random, bytes));
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work));
}

/** Opens a connection and does not finish its first request. */
function sayTooLittle(port: number, variant: number): { readonly closed: boolean; socket: Socket } {
  const words = ['', 'GET', 'GET / HTTP/1.1\r\nHost: x\r\nX-A: ', 'POST / HTTP/1.1\r\nHost: x\r\n', '\r\n'];
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  socket.on('error', () => {}).resume();
  socket.write(words[variant % words.length]!);
  return {
    socket,
    get closed() {
      return socket.readableEnded || socket.destroyed;
    },
  };
}

/** Runs requests of other clients at the same time. */
function serveOrdinaryRequests() {
  let running = true;
  let served = 0;
  /** Unexpected responses, with their count. */
  const failures: Record<string, number> = {};
  const failed = (what: string) => {
    failures[what] = (failures[what] ?? 0) + 1;
  };
  const requests: Record<string, () => Promise<{ status: number }>> = {
    'GET /company': () => company.call('GET', '/company'),
    'GET /dead_letters': () => operate(stack.local, 'GET', '/dead_letters'),
    'GET /clock': () => sandbox(stack.local, 'GET', '/clock'),
  };
  const clients = Object.entries(requests).map(async ([name, request]) => {
    while (running) {
      await request().then(
        ({ status }) => (status === 200 ? (served += 1) : failed(`${name}: ${status}`)),
        (error: unknown) => failed(`${name}: ${String(error)}`),
      );
    }
  });
  return {
    async stop() {
      running = false;
      await Promise.all(clients);
      return { served, failures };
    },
  };
}

/** Messages that an operator needs about a switch that refuses us. */
const ABOUT_SWITCHES = /the switch refused|no connection to the switch/;

/** Log lines about a defect: an unhandled error, a request that failed. */
function loggedDefects(): string[] {
  const logs = path.join(stack.dataDir, 'logs');
  return readdirSync(logs).flatMap((file) =>
    readFileSync(path.join(logs, file), 'utf8')
      .split('\n')
      .filter((line) => /"level":"?(?:50|60|error|fatal)\b|crashed:/.test(line) && !ABOUT_SWITCHES.test(line))
      .map((line) => `${file}: ${line}`),
  );
}
