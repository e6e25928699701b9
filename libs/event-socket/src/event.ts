import type { Frame } from './frame-reader.ts';

/** An event of the switch, whatever format it came in. */
export interface SocketEvent {
  readonly name: string;
  /** Keyed by FreeSWITCH's names, which are case-sensitive. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Decodes an event frame; undefined for frames that are no events, and for events that cannot be read. */
export function decodeEvent(frame: Frame): SocketEvent | undefined {
  switch (frame.headers.get('content-type')) {
    case 'text/event-json':
      return decodeJson(frame.body);
    case 'text/event-plain':
      return decodePlain(frame.body);
    default:
      return undefined;
  }
}

function decodeJson(body: Buffer): SocketEvent | undefined {
  const parsed = parseObject(body);
  if (!parsed) return undefined;
  const { _body: eventBody } = parsed;
  if (eventBody !== undefined) delete parsed._body;
  // In place: an event has about 150 headers, nearly all of them strings, and a busy switch sends hundreds of events a second.
  for (const [name, value] of Object.entries(parsed)) if (typeof value !== 'string') parsed[name] = headerValue(value);
  return named(parsed as Record<string, string>, typeof eventBody === 'string' ? eventBody : '');
}

/** A header set more than once is an array in JSON; elsewhere FreeSWITCH writes it in its own notation. */
const headerValue = (value: unknown): string =>
  Array.isArray(value) ? `ARRAY::${value.map(plainValue).join('|:')}` : plainValue(value);

/** No switch sends objects; converting one to text may throw (`{"toString": 1}`), or not end within the stack. */
const plainValue = (value: unknown): string => (typeof value === 'object' ? '' : String(value));

function parseObject(body: Buffer): Record<string, unknown> | undefined {
  try {
    const parsed: unknown = JSON.parse(body.toString('utf8'));
    return typeof parsed === 'object' && parsed !== null ? (parsed as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

/** Header lines with percent-encoded values, an empty line, and the event's own body. */
function decodePlain(body: Buffer): SocketEvent | undefined {
  const end = body.indexOf('\n\n');
  if (end < 0) return undefined;
  const headers: Record<string, string> = {};
  for (const line of body.toString('latin1', 0, end).split('\n')) {
    const colon = line.indexOf(':');
    if (colon > 0) headers[line.slice(0, colon)] = percentDecoded(line.slice(colon + 1).trim());
  }
  const length = Number(headers['Content-Length'] ?? 0);
  return named(headers, body.toString('utf8', end + 2, end + 2 + length));
}

/** Bytes that are not UTF-8 become U+FFFD; `decodeURIComponent` would throw. */
function percentDecoded(latin1: string): string {
  const bytes = latin1.replaceAll(/%([0-9A-Fa-f]{2})/g, (_match, hex: string) =>
    String.fromCodePoint(parseInt(hex, 16)),
  );
  return Buffer.from(bytes, 'latin1').toString('utf8');
}

function named(headers: Record<string, string>, body: string): SocketEvent | undefined {
  const name = headers['Event-Name'];
  return name === undefined ? undefined : { name, headers, body };
}
