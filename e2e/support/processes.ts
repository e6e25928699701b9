import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import type { LocalStack } from './local-stack.ts';

/**
 * Every process of a stack: services, engines, the broker and its guard; all but the launcher itself and the downloads of
 * speech models (`npm pack`), which end by themselves.
 */
export function processesOf({ process: launcher }: Pick<LocalStack, 'process'>): number[] {
  return processesBelow(launcher.pid ?? -1).filter((pid) => !commandOf(pid).includes('npm pack '));
}

/** What a process has started, and what that has started. */
export function processesBelow(pid: number): number[] {
  const children = new Map<number, number[]>();
  for (const one of readdirSync('/proc').map(Number).filter(Number.isInteger)) {
    const parent = parentOf(one);
    children.set(parent, [...(children.get(parent) ?? []), one]);
  }
  const below = (parent: number): number[] => (children.get(parent) ?? []).flatMap((child) => [child, ...below(child)]);
  return below(pid);
}

/** The processes of a stack that run one service, where each has its own. */
export function processesOfService(stack: Pick<LocalStack, 'process'>, service: string): number[] {
  return processesThatRun(stack, `services/${service}/src/main.ts`);
}

/** The processes of a stack whose command line contains a text. */
export function processesThatRun(stack: Pick<LocalStack, 'process'>, text: string): number[] {
  return processesOf(stack).filter((pid) => commandOf(pid).includes(text));
}

/** Whether a process has a UDP port open, as one that sends and receives audio. */
export function hasUdpPort(pid: number): boolean {
  const inodes = new Set(
    textOf(pid, 'net/udp')
      .split('\n')
      .map((line) => line.trim().split(/\s+/)[9]),
  );
  return readdirSync(`/proc/${pid}/fd`).some((fd) => {
    const inode = /^socket:\[(\d+)\]$/.exec(linkOf(`/proc/${pid}/fd/${fd}`))?.[1];
    return inode !== undefined && inodes.has(inode);
  });
}

function linkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return ''; // it was closed meanwhile
  }
}

/** NaN for one that has exited. */
function parentOf(pid: number): number {
  const stat = textOf(pid, 'stat');
  // The name before it is in parentheses and may contain anything.
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
}

function commandOf(pid: number): string {
  return textOf(pid, 'cmdline').replaceAll('\0', ' ');
}

function textOf(pid: number, file: 'stat' | 'cmdline' | 'net/udp'): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return ''; // it has exited meanwhile
  }
}
