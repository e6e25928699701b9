/** A SIP message (RFC 3261) as it comes over a WebSocket (RFC 7118): one message in each frame. */
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

/** The short names of headers (RFC 3261, section 20). */
const longNames: Readonly<Record<string, string>> = {
  c: 'content-type',
  f: 'from',
  i: 'call-id',
  l: 'content-length',
  m: 'contact',
  t: 'to',
  v: 'via',
};

/** Undefined for anything that is no SIP message, such as the blank lines that keep a connection open. */
export function parseSip(text: string): SipMessage | undefined {
  if (text.length > MESSAGE_LENGTH_MAX) return undefined;
  const end = text.indexOf(LINE_END + LINE_END);
  const [first = '', ...lines] = (end < 0 ? text : text.slice(0, end)).split(LINE_END);
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

const TARGET = /^sips?:([\w.~+%-]{1,128})@((?:[\w.-]{1,255}|\[[\dA-F:.]{2,45}\])(?::\d{1,5})?)((?:;[^;]*)*)$/i;
const TARGET_PARAMETER = /^(?:transport=\w{2,4}|ob|(?:line|rinstance)=[\w.~-]{1,64}|gr=[\w:-]{1,64})$/i;

/**
 * The Request-URI for an address that was dialled, made of parts that were read: a phone is sent nothing else of what it wrote, and
 * nothing of the switch's own parameters. Undefined when it is no plain SIP address.
 */
export function requestTarget(dialled: string): string | undefined {
  const [, user, host, list = ''] = TARGET.exec(dialled) ?? [];
  if (user === undefined) return undefined;
  const parameters = list.split(';').filter((one) => TARGET_PARAMETER.test(one));
  return [`sip:${user}@${host}`, ...parameters].join(';');
}

export function encodeRequest(method: string, uri: string, headers: SipHeaders, body = ''): string {
  return encode(`${method} ${uri} ${VERSION}`, headers, body);
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

/** The address of a From, To or Contact header. */
export function uriOf(value: string): string {
  const address = withoutDisplayName(value);
  return /<([^>]*)>/.exec(address)?.[1] ?? address.split(';')[0]!.trim();
}

const withoutDisplayName = (value: string): string => value.replace(/^\s*"(?:[^"\\]|\\.)*"/, '');

/** The user of `sip:user@host`. */
export function userOf(uri: string): string {
  const user = /^sips?:([^@;]+)@/.exec(uri)?.[1] ?? '';
  return /%(?![\dA-F]{2})/i.test(user) ? user : decodeURIComponent(user);
}

/** A parameter of a header, such as the tag of a From. */
export function parameterOf(value: string, name: string): string | undefined {
  return new RegExp(`;\\s*${name}=("?)([^;"]*)\\1`, 'i').exec(withoutDisplayName(value).replace(/<[^>]*>/, ''))?.[2];
}
