import { z } from 'zod';

/** A registration as the switch reports it. The contact was written by the phone; the rest the switch saw itself. */
interface ReportedContact {
  /** `"display name" <sip:user@host:port;parameters>`. */
  readonly contact: string;
  /** Begins with `Registered(UDP)`, `Registered(WSS-NAT)` and the like. */
  readonly status: string;
  /** The source of the request. */
  readonly networkIp: string;
  readonly networkPort: string;
}

/** A registered phone that can be dialled. Everything here is rebuilt from parts that were checked. */
export interface PhoneContact {
  /** `sip:user@host:port`. */
  readonly address: string;
  readonly dialString: string;
}

const isIPv4 = (text: string): boolean => z.ipv4().safeParse(text).success;
const isIPv6 = (text: string): boolean => z.ipv6().safeParse(text).success;

const CONTACT_CHARS_MAX = 1024;
/** The address is the last thing in a contact, and the only one between angle brackets outside the quoted name. */
const ADDRESS = /^(?:"(?:[^"\\\p{Cc}]|\\.)*"|[^"<>\p{Cc}]*) ?<([^<>]+)>$/u;
/** The subset of RFC 3261 that phones use and that has no meaning in a dial string: no comma, bracket, quote, blank, `$` or `|`. */
const SIP_URI = /^sips?:([A-Za-z0-9._~+-]{1,128})@([^@;]{1,255}?)(?::(\d{1,5}))?((?:;[^;]*)*)$/i;
const HOST_NAME = /^(?!-)[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63}){0,10}$/;
/** The transport of the request; the switch does not listen for TLS without a WebSocket. */
const STATUS = /^Registered\((UDP|TCP|WSS?)(?:-NAT)?\)/;
const BROWSER = /^wss?$/;

/** A phone recognizes its own address by these parameters; others are not sent back to it. */
const KEPT_PARAMETERS: Readonly<Record<string, RegExp>> = {
  ob: /^$/,
  line: /^[A-Za-z0-9._~-]{1,64}$/,
  rinstance: /^[A-Za-z0-9._~-]{1,64}$/,
  gr: /^urn:uuid:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i,
  fs_nat: /^yes$/,
  // Where the edge proxy has the phone (`deploy/edge`), to which it passes the call on.
  alias: /^\d{1,3}(?:\.\d{1,3}){3}~\d{1,5}~[1-6]$/,
};

/** The only accepted form of a switch's dial string for a phone. */
const DIAL_STRING = new RegExp(
  String.raw`^sofia/internal/sip:[A-Za-z0-9._~+-]{1,128}@(?:[A-Za-z0-9.-]{1,255}|\[[0-9A-Fa-f:.]{2,45}\])(?::\d{1,5})?` +
    String.raw`(?:;transport=ws)?(?:;ob|;(?:line|rinstance)=[A-Za-z0-9._~-]{1,64}|;gr=urn:uuid:[0-9A-Fa-f-]{36}|;fs_nat=yes|;alias=[0-9.]{7,15}~\d{1,5}~[1-6])*` +
    String.raw`;fs_path=sip%3A(?:[A-Za-z0-9._~-]|%2B){1,128}%40(?:[0-9.]{7,15}|%5B[0-9A-Fa-f%.]{2,120}%5D)%3A\d{1,5}(?:%3Btransport%3D(?:tcp|wss?))?$`,
);

/**
 * A phone as the switch can dial it; undefined when its contact is anything but a plain SIP address. The call is sent
 * to where the registration came from, whatever address the phone wrote: a contact cannot lead a call to a carrier.
 */
export function readPhoneContact(reported: ReportedContact): PhoneContact | undefined {
  if (reported.contact.length > CONTACT_CHARS_MAX) return undefined;
  const [, user, writtenHost = '', port, list = ''] =
    SIP_URI.exec(ADDRESS.exec(reported.contact.trimEnd())?.[1] ?? '') ?? [];
  const host = readHost(writtenHost);
  const network = readNetwork(reported);
  const parameters = readParameters(list);
  const isBehindProxy = KEPT_PARAMETERS.alias!.test(parameters.get('alias') ?? '');
  const transport = transportOf(reported.status, parameters.get('transport'), isBehindProxy);
  if (user === undefined || host === undefined || !network || !transport || !isPort(port ?? '5060')) return undefined;
  const address = `sip:${user}@${host}${port === undefined ? '' : `:${Number(port)}`}`;
  const kept = Object.keys(KEPT_PARAMETERS).flatMap((name) => {
    const value = parameters.get(name);
    if (value === undefined || !KEPT_PARAMETERS[name]!.test(value)) return [];
    return [value === '' ? `;${name}` : `;${name}=${value}`];
  });
  const path = encodeURIComponent(`sip:${user}@${network}${transport === 'udp' ? '' : `;transport=${transport}`}`);
  // The switch sets up a browser's media by the parameter of the address itself, which is `ws` also for `wss`.
  const isBrowserPhone = BROWSER.test(isBehindProxy ? (parameters.get('transport') ?? '').toLowerCase() : transport);
  const media = isBrowserPhone ? ';transport=ws' : '';
  const dialString = `sofia/internal/${address}${media}${kept.join('')};fs_path=${path}`;
  return isPhoneDialString(dialString) ? { address, dialString } : undefined;
}

export function isPhoneDialString(text: string): boolean {
  return DIAL_STRING.test(text);
}

/** True for a phone that every switch reaches, because the edge proxy has its connection. */
export function isBehindEdge(dialString: string): boolean {
  return /;alias=/.test(dialString);
}

/** Recognizes a browser by its transport. */
export function isBrowser(dialString: string): boolean {
  return /;transport=ws;/.test(dialString);
}

function readHost(written: string): string | undefined {
  if (written.startsWith('[')) return isIPv6(written.slice(1, -1)) && written.endsWith(']') ? written : undefined;
  return HOST_NAME.test(written) ? written : undefined;
}

function readNetwork({ networkIp, networkPort }: ReportedContact): string | undefined {
  if (!(isIPv4(networkIp) || isIPv6(networkIp)) || !isPort(networkPort)) return undefined;
  return `${isIPv4(networkIp) ? networkIp : `[${networkIp}]`}:${Number(networkPort)}`;
}

function isPort(text: string): boolean {
  return /^\d{1,5}$/.test(text) && Number(text) > 0 && Number(text) < 65_536;
}

/** The first of several parameters with one name counts. */
function readParameters(list: string): ReadonlyMap<string, string> {
  const parameters = new Map<string, string>();
  for (const item of list.split(';').slice(1)) {
    const at = item.indexOf('=');
    const name = (at < 0 ? item : item.slice(0, at)).toLowerCase();
    if (!parameters.has(name)) parameters.set(name, at < 0 ? '' : item.slice(at + 1));
  }
  return parameters;
}

/** Over a WebSocket, or from a proxy, as the switch saw it; otherwise as the phone wants it. */
function transportOf(status: string, wanted: string | undefined, isBehindProxy: boolean): string | undefined {
  const seen = STATUS.exec(status)?.[1]?.toLowerCase();
  const written = wanted?.toLowerCase();
  if (seen === undefined || isBehindProxy) return seen;
  if (BROWSER.test(seen)) return written === undefined || BROWSER.test(written) ? seen : undefined;
  if (written === undefined) return 'udp';
  return written === 'udp' || written === 'tcp' ? written : undefined;
}
