/** The frames a switch sends. */

export type EventFormat = 'json' | 'plain';

export const encodeAuthRequest = (): Buffer => Buffer.from('Content-Type: auth/request\n\n');

export function encodeReply(text: string, headers: Readonly<Record<string, string>> = {}): Buffer {
  const more = Object.entries(headers).map(([name, value]) => `${name}: ${value}\n`);
  return Buffer.from(`Content-Type: command/reply\nReply-Text: ${text}\n${more.join('')}\n`);
}

/** `text` is sent unchanged: some commands end theirs with a line break, some do not. */
export const encodeApiResponse = (text: string): Buffer => withBody('api/response', text);

export const encodeDisconnectNotice = (text: string): Buffer => withBody('text/disconnect-notice', text);

function withBody(type: string, text: string): Buffer {
  return Buffer.from(`Content-Type: ${type}\nContent-Length: ${Buffer.byteLength(text)}\n\n${text}`);
}

/** Events announce their length first and their type second, unlike replies. */
export function encodeEvent(headers: Readonly<Record<string, string>>, body: string | undefined, format: EventFormat) {
  const text = format === 'json' ? jsonEvent(headers, body) : plainEvent(headers, body);
  return Buffer.from(`Content-Length: ${Buffer.byteLength(text)}\nContent-Type: text/event-${format}\n\n${text}`);
}

function jsonEvent(headers: Readonly<Record<string, string>>, body: string | undefined): string {
  if (body === undefined) return JSON.stringify(headers);
  return JSON.stringify({ ...headers, 'Content-Length': String(Buffer.byteLength(body)), _body: body });
}

function plainEvent(headers: Readonly<Record<string, string>>, body: string | undefined): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${percentEncoded(value)}\n`);
  if (body === undefined) return `${lines.join('')}\n`;
  return `${lines.join('')}Content-Length: ${Buffer.byteLength(body)}\n\n${body}`;
}

/** FreeSWITCH leaves a few characters as they are that are encoded in a URI component. */
const percentEncoded = (value: string): string =>
  encodeURIComponent(value).replaceAll(/%(2F|2C|24)/g, (encoded) => decodeURIComponent(encoded));
