/** What `EventsChannel` sends; more fields and types may follow. */
export type ChannelMessage =
  | { readonly type: 'event'; readonly cursor: string; readonly event: unknown }
  | { readonly type: 'caught_up'; readonly cursor: string };

/** The last message of a connection: whether its subscription was ever confirmed. */
export interface ChannelEnd {
  readonly type: 'end';
  readonly confirmed: boolean;
}

/** The part of a WebSocket that is used; browsers, Node.js, Deno, Bun and the package `ws` have it. */
export interface SocketLike {
  addEventListener(type: string, listener: (event: { readonly data?: unknown }) => void): void;
  send(text: string): void;
  close(): void;
}

/** The service pings every 3 s. */
const SILENCE_MS_MAX = 15_000;
/** A reader that is slower than the service is disconnected with this much unread, and goes on later. */
const UNREAD_MAX = 1000;
const UNREAD_LENGTH_MAX = 8 * 1024 * 1024;

/**
 * One connection to `EventsChannel` in Action Cable's protocol (`actioncable-v1-json`): its messages, and its end. Why it has ended is
 * not told: a request to the log finds out.
 */
export async function* readChannel(
  open: () => SocketLike,
  wanted: { readonly after?: string | undefined; readonly types?: readonly string[] | undefined },
  signal: AbortSignal | undefined,
): AsyncGenerator<ChannelMessage | ChannelEnd, void, undefined> {
  const identifier = JSON.stringify({ channel: 'EventsChannel', ...wanted });
  const unread: { readonly message: ChannelMessage; readonly length: number }[] = [];
  let unreadLength = 0;
  let confirmed = false;
  let ended = false;
  let wake: () => void = () => undefined;
  let silence: ReturnType<typeof setTimeout> | undefined;
  let socket: SocketLike | undefined;

  function end(): void {
    if (ended) return;
    ended = true;
    clearTimeout(silence);
    signal?.removeEventListener('abort', end);
    // It may not be open yet.
    attempt(() => socket?.close());
    wake();
  }

  function heard(): void {
    clearTimeout(silence);
    silence = setTimeout(end, SILENCE_MS_MAX);
  }

  function receive(text: unknown): void {
    // What arrives after the end is sent again after the cursor.
    if (ended || typeof text !== 'string') return;
    heard();
    const frame = readFrame(text);
    if (frame?.type === 'welcome') attempt(() => socket?.send(JSON.stringify({ command: 'subscribe', identifier })));
    if (frame?.type === 'disconnect' || frame?.type === 'reject_subscription') return end();
    if (frame?.type === 'confirm_subscription') confirmed = true;
    const message = frame && messageOf(frame.message);
    if (!message) return;
    unread.push({ message, length: text.length });
    unreadLength += text.length;
    wake();
    if (unread.length > UNREAD_MAX || unreadLength > UNREAD_LENGTH_MAX) end();
  }

  try {
    signal?.addEventListener('abort', end, { once: true });
    heard();
    attempt(() => {
      socket = open();
      socket.addEventListener('message', ({ data }) => receive(data));
      socket.addEventListener('error', end);
      socket.addEventListener('close', end);
    }, end);
    while (!ended || unread.length > 0) {
      const next = unread.shift();
      if (next) {
        unreadLength -= next.length;
        yield next.message;
      } else await new Promise<void>((resolve) => (wake = resolve));
    }
    yield { type: 'end', confirmed };
  } finally {
    end();
  }
}

interface Frame {
  readonly type?: unknown;
  readonly message?: unknown;
}

/** Undefined when it is no frame of the protocol. */
function readFrame(text: string): Frame | undefined {
  try {
    const frame: unknown = JSON.parse(text);
    return typeof frame === 'object' && frame !== null ? frame : undefined;
  } catch {
    return undefined;
  }
}

function messageOf(value: unknown): ChannelMessage | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { type, cursor } = value as { type?: unknown; cursor?: unknown };
  return (type === 'event' || type === 'caught_up') && typeof cursor === 'string'
    ? (value as ChannelMessage)
    : undefined;
}

/** A socket throws for much that it cannot do. */
function attempt(action: () => void, onFailure: () => void = () => undefined): void {
  try {
    action();
  } catch {
    onFailure();
  }
}
