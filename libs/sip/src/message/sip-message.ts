import { parameterOf } from './sip-address.ts';

/** A SIP message (RFC 3261). */
export type SipMessage = SipRequest | SipResponse;

interface SipParts {
  /** Keyed by name in lower case, in their order. */
  readonly headers: ReadonlyMap<string, readonly string[]>;
  readonly body: string;
}

export interface SipRequest extends SipParts {
  readonly method: string;
  readonly uri: string;
}

export interface SipResponse extends SipParts {
  readonly status: number;
}

/** Headers by their usual names; a list where one occurs several times. */
export type SipHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

const VERSION = 'SIP/2.0';
const LINE_END = '\r\n';
const MESSAGE_LENGTH_MAX = 64 * 1024;
const HEADERS_MAX = 200;

/** The short names of headers (RFC 3261, section 20). */
const longNames: Readonly<Record<string, string>> = {
  c: 'content-type',
  f: 'from',
  i: 'call-id',
  k: 'supported',
  l: 'content-length',
  m: 'contact',
  t: 'to',
  v: 'via',
};

/** Undefined for anything that is no SIP message, such as the blank lines that keep a connection open. */
export function parseSip(text: string): SipMessage | undefined {
  if (text.length > MESSAGE_LENGTH_MAX) return undefined;
  const end = text.indexOf(LINE_END + LINE_END);
  const [first = '', ...lines] = unfolded(end < 0 ? text : text.slice(0, end)).split(LINE_END);
  if (lines.length > HEADERS_MAX) return undefined;
  const headers = new Map<string, string[]>();
  for (const line of lines) {
    const colon = line.indexOf(':');
    if (colon <= 0) return undefined;
    const given = line.slice(0, colon).trim().toLowerCase();
    const name = longNames[given] ?? given;
    headers.set(name, [...(headers.get(name) ?? []), line.slice(colon + 1).trim()]);
  }
  const parts = { headers, body: end < 0 ? '' : text.slice(end + 2 * LINE_END.length) };
  const response = /^SIP\/2\.0 (\d{3})(?: |$)/.exec(first);
  if (response) return { ...parts, status: Number(response[1]) };
  const request = /^([A-Z]+) (\S+) SIP\/2\.0$/.exec(first);
  return request ? { ...parts, method: request[1]!, uri: request[2]! } : undefined;
}

/** A header may continue on the next line, which then begins with a blank (RFC 3261, section 7.3.1). */
const unfolded = (head: string): string => head.replaceAll(/\r\n[ \t]+/g, ' ');

export function encodeRequest(method: string, uri: string, headers: SipHeaders, body = ''): string {
  return encode(`${method} ${uri.replaceAll(/\s/g, '')} ${VERSION}`, headers, body);
}

export function encodeResponse(status: number, reason: string, headers: SipHeaders, body = ''): string {
  return encode(`${VERSION} ${status} ${reason}`, headers, body);
}

function encode(first: string, headers: SipHeaders, body: string): string {
  const lines = Object.entries(headers).flatMap(([name, values = []]) =>
    [values].flat().map((value) => `${name}: ${oneLine(value)}`),
  );
  return [first, ...lines, `Content-Length: ${Buffer.byteLength(body)}`, '', body].join(LINE_END);
}

/** A line break in a value would begin another header. */
const oneLine = (value: string): string => value.replaceAll(/[\r\n]+/g, ' ');

export function header(message: SipMessage, name: string): string {
  return message.headers.get(name)?.[0] ?? '';
}

export function isRequest(message: SipMessage): message is SipRequest {
  return 'method' in message;
}

/** The number and the method of a CSeq header. */
export function sequenceOf(message: SipMessage): { number: number; method: string } {
  const [, number = '0', method = ''] = /^(\d{1,10})\s+([A-Z]+)$/.exec(header(message, 'cseq')) ?? [];
  return { number: Number(number), method };
}

/** The headers that a response repeats (RFC 3261, section 8.2.6.2); the tag is ours, unless the request has one already. */
export function repeatedHeaders(request: SipRequest, tag?: string): SipHeaders {
  const to = header(request, 'to');
  return {
    Via: request.headers.get('via') ?? [],
    From: header(request, 'from'),
    To: tag === undefined || parameterOf(to, 'tag') !== undefined ? to : `${to};tag=${tag}`,
    'Call-ID': header(request, 'call-id'),
    CSeq: header(request, 'cseq'),
  };
}
