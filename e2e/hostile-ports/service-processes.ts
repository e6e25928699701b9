import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { connect } from 'node:net';
import type { LocalStack } from '../support/local-stack.ts';
import { processesThatRun } from '../support/processes.ts';

/** The resources of a process. */
export interface Usage {
  readonly sockets: number;
  readonly residentMb: number;
}

/** The processes of the services, by the name of the service and its process id. */
export function serviceProcesses(stack: LocalStack): Map<string, number> {
  const found = processesThatRun(stack, '/src/main.ts').map((pid) => {
    const service = /services\/([a-z-]+)\/src\/main\.ts/.exec(readFileSync(`/proc/${pid}/cmdline`, 'utf8'))?.[1];
    return [`${service} ${pid}`, pid] as const;
  });
  return new Map(found.filter(([name]) => !name.startsWith('undefined')));
}

export function usageOf(pid: number): Usage {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return {
    sockets: socketsOf(pid).length,
    residentMb: Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1]) / 1024,
  };
}

/** The inodes of the sockets that a process has open. */
function socketsOf(pid: number): string[] {
  return readdirSync(`/proc/${pid}/fd`).flatMap((fd) => {
    try {
      return /^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/${pid}/fd/${fd}`))?.[1] ?? [];
    } catch {
      return []; // closed meanwhile
    }
  });
}

/** The TCP ports that a process listens at. */
function portsOf(pid: number): number[] {
  const own = new Set(socketsOf(pid));
  return readFileSync('/proc/net/tcp', 'utf8')
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter((columns) => columns[3] === '0A' && own.has(columns[9] ?? ''))
    .map(([, local = '']) => parseInt(local.split(':')[1] ?? '', 16));
}

export type Protocol = 'http' | 'grpc' | 'smtp' | 'event-socket';

/** Every port of the services, by what it speaks. */
export async function listeningPorts(processes: ReadonlyMap<string, number>): Promise<Record<Protocol, number[]>> {
  const ports: Record<Protocol, number[]> = { http: [], grpc: [], smtp: [], 'event-socket': [] };
  const found = [...processes.values()].flatMap(portsOf);
  await Promise.all(
    found.map(async (port) => {
      const greeting = await firstBytes(port);
      if (/^[24]\d\d /.test(greeting)) ports.smtp.push(port);
      else if (greeting.startsWith('Content-Type: auth/request')) ports['event-socket'].push(port);
      else if (greeting.startsWith('HTTP/1.1 ')) ports.http.push(port);
      else ports.grpc.push(port);
    }),
  );
  for (const list of Object.values(ports)) list.sort((a, b) => a - b);
  return ports;
}

/** The longest wait for a greeting; the mail server delays it, because only a bad client speaks first. */
const GREETING_MS = 500;

/** The server's greeting, or its response to a request; an HTTP/2 server sends nothing readable. */
function firstBytes(port: number): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    const limit = setTimeout(() => socket.write('GET /healthz/live HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n'), GREETING_MS);
    socket.once('data', (chunk) => {
      resolve(chunk.toString('latin1'));
      socket.destroy();
    });
    socket.on('error', () => {});
    socket.on('close', () => {
      clearTimeout(limit);
      resolve('');
    });
  });
}
