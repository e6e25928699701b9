import { connect as connectTcp, type Socket } from 'node:net';
import {
  decodeEvent,
  encodeCommand,
  type Frame,
  FrameReader,
  readReply,
  type Reply,
  type SocketEvent,
  type SwitchAddress,
} from '@parley/event-socket';
import type { ApiCommand } from './allow-list.ts';

/** The switch did not answer. `isSent` is false when the command certainly never reached it. */
export class SwitchUnreachable extends Error {
  readonly isSent: boolean;
  /** Nothing listens at its address: the machine is there, the switch is not. */
  readonly isRefused: boolean;

  constructor(reason: string, isSent: boolean, isRefused = false) {
    super(reason);
    this.name = 'SwitchUnreachable';
    this.isSent = isSent;
    this.isRefused = isRefused;
  }
}

/** The switch does not take our credentials: trying again at once would not help. */
export class LoginRefused extends Error {
  constructor() {
    super('the switch refused the login');
    this.name = 'LoginRefused';
  }
}

/** One connection to a switch's event socket. */
export interface SocketConnection {
  /** The reply; throws `SwitchUnreachable` when none can come any more. */
  send(line: string, headers?: Readonly<Record<string, string>>): Promise<Reply>;
  /** Runs a command in the background and waits for its result. */
  runJob(command: ApiCommand, jobId: string, limitMs: number): Promise<Reply>;
  readonly isOpen: boolean;
  /** Resolves with the reason when the connection has ended. */
  readonly ended: Promise<string>;
  close(): void;
}

interface SocketOptions {
  readonly address: SwitchAddress;
  /** Names for the `event json` command; the last words after CUSTOM are subclasses. */
  readonly subscription: string;
  readonly onEvent: (event: SocketEvent) => void;
  readonly signal: AbortSignal;
  readonly replyLimitMs?: number;
  readonly probeEveryMs?: number;
}

const CONNECT_LIMIT_MS = 5000;
const REPLY_LIMIT_MS = 5000;
/** A connection that is silent may be half open: an answer to this proves that it is not. */
const PROBE = 'api uuid_exists 00000000-0000-0000-0000-000000000000';
const PROBE_EVERY_MS = 10_000;

interface Waiter {
  resolve(reply: Reply): void;
  reject(error: Error): void;
  timer: NodeJS.Timeout;
}

/** Connects, logs in and subscribes. */
export async function connectSocket(options: SocketOptions): Promise<SocketConnection> {
  const { address, subscription, onEvent, signal } = options;
  const { replyLimitMs = REPLY_LIMIT_MS, probeEveryMs = PROBE_EVERY_MS } = options;
  const socket = await openTcp(address, signal);
  const waiting = openWaiting();
  const { promise: ended, resolve: setEnded } = Promise.withResolvers<string>();
  const { promise: greeted, resolve: setGreeted, reject: notGreeted } = Promise.withResolvers<void>();
  greeted.catch(() => {});
  let endReason: string | undefined;

  function end(reason: string): void {
    if (endReason !== undefined) return;
    endReason = reason;
    clearInterval(probing);
    signal.removeEventListener('abort', onAbort);
    socket.destroy();
    const error = new SwitchUnreachable(reason, true);
    notGreeted(error);
    waiting.rejectAll(error);
    setEnded(reason);
  }

  function onFrame(frame: Frame): void {
    const reply = readReply(frame);
    // Replies come in the order of their commands: without one that waits, order is lost.
    if (reply) return waiting.resolveReply(reply) ? undefined : end('an unexpected reply');
    const event = decodeEvent(frame);
    if (event) {
      if (event.name === 'BACKGROUND_JOB') waiting.resolveJob(event);
      return onEvent(event);
    }
    const type = frame.headers.get('content-type');
    if (type === 'auth/request') setGreeted();
    else if (type === 'text/disconnect-notice') end('the switch ended the connection');
    else if (type === 'text/rude-rejection') end('the switch does not take connections from here');
  }

  function send(line: string, headers?: Readonly<Record<string, string>>): Promise<Reply> {
    const bytes = encodeCommand(line, headers);
    if (endReason !== undefined) return Promise.reject(new SwitchUnreachable(endReason, false));
    // Skipping a late reply would give it to the next command, so the connection ends.
    const reply = waiting.forReply(replyLimitMs, () => end('the switch did not reply in time'));
    // Commands of the same tick leave with one write.
    socket.cork();
    process.nextTick(() => socket.uncork());
    socket.write(bytes);
    return reply;
  }

  async function runJob(command: ApiCommand, jobId: string, limitMs: number): Promise<Reply> {
    // Registered first: the result may be there before we have read the reply.
    const result = waiting.forJob(jobId, limitMs);
    result.catch(() => {});
    const accepted = await send(`bgapi ${command}`, { 'Job-UUID': jobId });
    if (accepted.ok) return result;
    waiting.forgetJob(jobId);
    return accepted;
  }

  const onAbort = () => end('stopped');
  signal.addEventListener('abort', onAbort);
  const probing = setInterval(() => void send(PROBE).catch(() => {}), probeEveryMs);
  readFrames(socket, { isEnded: () => endReason !== undefined, onFrame, end });
  try {
    const greeting = setTimeout(() => end('the switch did not greet in time'), CONNECT_LIMIT_MS);
    await greeted.finally(() => clearTimeout(greeting));
    const login = await send(address.login);
    if (!login.ok) throw new LoginRefused();
    const subscribed = await send(`event json ${subscription}`);
    if (!subscribed.ok) throw new Error(`the switch refused the subscription: ${subscribed.text}`);
  } catch (error) {
    end(error instanceof Error ? error.message : 'login failed');
    throw error;
  }
  return {
    send,
    runJob,
    ended,
    get isOpen() {
      return endReason === undefined;
    },
    close: () => end('closed'),
  };
}

function readFrames(
  socket: Socket,
  { isEnded, onFrame, end }: { isEnded(): boolean; onFrame(frame: Frame): void; end(reason: string): void },
): void {
  const reader = new FrameReader();
  socket.on('data', (chunk) => {
    try {
      const { items, error } = reader.push(chunk);
      for (const frame of items) if (!isEnded()) onFrame(frame);
      if (error) end(error.message);
    } catch (error) {
      // Nothing that a switch sends may end more than its connection.
      end(error instanceof Error ? error.message : 'a frame could not be read');
    }
  });
  socket.on('error', (error) => end(error.message));
  socket.on('close', () => end('the connection was closed'));
}

/** Commands that wait for their reply, and background jobs that wait for their result. */
function openWaiting() {
  const replies: Waiter[] = [];
  const jobs = new Map<string, Waiter>();

  function takeJob(jobId: string): Waiter | undefined {
    const waiter = jobs.get(jobId);
    jobs.delete(jobId);
    clearTimeout(waiter?.timer);
    return waiter;
  }

  return {
    forReply: (limitMs: number, onLate: () => void) =>
      new Promise<Reply>((resolve, reject) => {
        replies.push({ resolve, reject, timer: setTimeout(onLate, limitMs) });
      }),
    /** False when none waits. */
    resolveReply(reply: Reply): boolean {
      const waiter = replies.shift();
      clearTimeout(waiter?.timer);
      waiter?.resolve(reply);
      return waiter !== undefined;
    },
    forJob: (jobId: string, limitMs: number) =>
      new Promise<Reply>((resolve, reject) => {
        const timer = setTimeout(() => {
          jobs.delete(jobId);
          reject(new SwitchUnreachable('the job has no result in time', true));
        }, limitMs);
        jobs.set(jobId, { resolve, reject, timer });
      }),
    resolveJob({ headers, body }: SocketEvent): void {
      const text = body.trimEnd();
      takeJob(headers['Job-UUID'] ?? '')?.resolve({ ok: !text.startsWith('-'), text });
    },
    forgetJob: (jobId: string) => void takeJob(jobId),
    rejectAll(error: Error): void {
      for (const { timer, reject } of [...replies.splice(0), ...jobs.values()]) {
        clearTimeout(timer);
        reject(error);
      }
      jobs.clear();
    },
  };
}

function openTcp({ host, port }: SwitchAddress, signal: AbortSignal): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connectTcp({ host, port, noDelay: true });
    const fail = (reason: string, isRefused = false) => {
      socket.destroy();
      reject(new SwitchUnreachable(reason, false, isRefused));
    };
    const limit = setTimeout(() => fail('the switch did not accept the connection in time'), CONNECT_LIMIT_MS);
    const onAbort = () => fail('stopped');
    signal.addEventListener('abort', onAbort, { once: true });
    // It stays: a socket without a listener would end the process with its next error.
    socket.on('error', (error: NodeJS.ErrnoException) => fail(error.message, error.code === 'ECONNREFUSED'));
    socket.once('connect', () => {
      clearTimeout(limit);
      signal.removeEventListener('abort', onAbort);
      resolve(socket);
    });
    socket.once('close', () => clearTimeout(limit));
  });
}
