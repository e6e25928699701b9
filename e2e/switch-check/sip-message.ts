/** A SIP request or response. Names of headers are in lower case; the same name may occur more than once. */
export interface SipMessage {
  /** `INVITE sip:… SIP/2.0` or `SIP/2.0 200 OK`. */
  readonly start: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: string;
}

const COMPACT: Readonly<Record<string, string>> = {
  v: 'via',
  f: 'from',
  t: 'to',
  i: 'call-id',
  m: 'contact',
  c: 'content-type',
  l: 'content-length',
};

export function readSip(text: string): SipMessage {
  const end = text.indexOf('\r\n\r\n');
  const [start = '', ...lines] = text.slice(0, end < 0 ? text.length : end).split('\r\n');
  const headers = lines.map((line) => {
    const colon = line.indexOf(':');
    const name = line.slice(0, colon).trim().toLowerCase();
    return [COMPACT[name] ?? name, line.slice(colon + 1).trim()] as const;
  });
  return { start, headers, body: end < 0 ? '' : text.slice(end + 4) };
}

export function writeSip(start: string, headers: readonly (readonly [string, string])[], body = ''): string {
  const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`);
  return `${start}\r\n${lines.join('')}content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
}

export const header = ({ headers }: SipMessage, name: string): string =>
  headers.find(([candidate]) => candidate === name)?.[1] ?? '';
export const headersOf = ({ headers }: SipMessage, name: string): readonly string[] =>
  headers.filter(([candidate]) => candidate === name).map(([, value]) => value);
/** 0 for a request. */
export const statusOf = ({ start }: SipMessage): number => Number(/^SIP\/2\.0 (\d{3})/.exec(start)?.[1] ?? 0);
export const methodOf = ({ start }: SipMessage): string => start.split(' ')[0] ?? '';
