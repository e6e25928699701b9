import { randomBytes } from 'node:crypto';
import { type Environment, settingsReader, WrongSetting } from './settings-reader.ts';

/** A carrier that requires a user name and a password. */
export interface Gateway {
  readonly name: string;
  readonly proxy: string;
  readonly username: string;
  readonly password: string;
  /** The switch registers with the carrier; incoming calls then use the same address. */
  readonly register: boolean;
}

/** The values of the templates. */
export interface SwitchSettings {
  readonly switchName: string;
  readonly switchSecret: string;
  readonly callControlUrl: string;
  readonly eventSocketIp: string;
  readonly eventSocketPort: number;
  readonly eventSocketUser: string;
  readonly eventSocketPassword: string;
  /** The password of the unrestricted user, which is not used. */
  readonly unusedPassword: string;
  readonly callControlNetworks: readonly string[];
  readonly sipDomain: string;
  readonly ip: string;
  /** Behind NAT: the address the outside sees. */
  readonly externalIp: string | undefined;
  readonly phonesPort: number;
  readonly carriersPort: number;
  /** For calls of other switches. */
  readonly switchesPort: number | undefined;
  readonly websocketPort: number | undefined;
  readonly secureWebsocketPort: number | undefined;
  readonly rtpPortFirst: number;
  readonly rtpPortLast: number;
  readonly carrierNetworks: readonly string[];
  readonly switchNetworks: readonly string[];
  readonly candidateNetworks: readonly string[];
  readonly gateways: readonly Gateway[];
  readonly maxSessions: number;
  readonly sessionsPerSecond: number;
  readonly logLevel: string;
  readonly logFile: string;
  readonly cacheDir: string;
  readonly certsDir: string;
  readonly caFile: string;
  readonly musicDir: string;
}

// Nothing here may begin a variable of FreeSWITCH ($) or end an attribute.
const SECRET = /^[\w.~+/=-]{16,200}$/;
const NAME = /^[a-z0-9-]{1,40}$/;
const HOST = /^[\w.:[\]-]{1,255}$/;
const PATH = /^\/[\w./-]*$/;

/** Reads the settings of a switch from the environment. */
export function readSwitchSettings(env: Environment): SwitchSettings {
  const { text, count, port, optionalPort, networks } = settingsReader(env);
  const [rtpPortFirst, rtpPortLast] = readRange(env.RTP_PORTS || '16384-32768');
  const callControlUrl = text(
    'CALL_CONTROL_URL',
    /^https?:\/\/[\w.:[\]-]+\/?$/,
    'http://host:port of call-control for switches',
  );
  return {
    switchName: text('SWITCH_NAME', NAME, 'letters, digits and hyphens', 'freeswitch'),
    switchSecret: text('SWITCH_SECRET', SECRET, 'at least 16 letters and digits'),
    callControlUrl: callControlUrl.replace(/\/$/, ''),
    eventSocketIp: text('EVENT_SOCKET_IP', HOST, 'an address', '127.0.0.1'),
    eventSocketPort: port('EVENT_SOCKET_PORT', 8021),
    eventSocketUser: text('EVENT_SOCKET_USER', NAME, 'letters, digits and hyphens', 'call-control'),
    eventSocketPassword: text('EVENT_SOCKET_PASSWORD', SECRET, 'at least 16 letters and digits'),
    unusedPassword: randomBytes(24).toString('base64url'),
    callControlNetworks: networks('CALL_CONTROL_NETWORKS', '127.0.0.1'),
    sipDomain: text('SIP_DOMAIN', /^[\w.-]{1,253}$/, 'a domain', 'parley.invalid'),
    ip: text('SWITCH_IP', /^([\w.:[\]-]+|\$\$\{local_ip_v4\})$/, 'an address of this machine', '$${local_ip_v4}'),
    externalIp: env.EXTERNAL_IP ? text('EXTERNAL_IP', HOST, 'an address') : undefined,
    phonesPort: port('PHONES_PORT', 5060),
    carriersPort: port('CARRIERS_PORT', 5080),
    switchesPort: optionalPort('SWITCHES_PORT', 'off'),
    websocketPort: optionalPort('WEBSOCKET_PORT', 'off'),
    secureWebsocketPort: optionalPort('SECURE_WEBSOCKET_PORT', 7443),
    rtpPortFirst,
    rtpPortLast,
    carrierNetworks: networks('CARRIER_NETWORKS', ''),
    switchNetworks: networks('SWITCH_NETWORKS', ''),
    candidateNetworks: networks('CANDIDATE_NETWORKS', ''),
    gateways: readGateways(env.GATEWAYS || '[]'),
    maxSessions: count('MAX_SESSIONS', 1000),
    sessionsPerSecond: count('SESSIONS_PER_SECOND', 100),
    // From `warning` on the log has phone numbers.
    logLevel: readLogLevel(env.LOG_LEVEL || 'err'),
    logFile: text('LOG_FILE', PATH, 'an absolute path', '/var/log/freeswitch/freeswitch.log'),
    cacheDir: text('CACHE_DIR', PATH, 'an absolute path', '/var/cache/freeswitch/http'),
    certsDir: text('CERTS_DIR', PATH, 'an absolute path', '/etc/freeswitch/tls'),
    caFile: text('CA_FILE', PATH, 'an absolute path', '/etc/ssl/certs/ca-certificates.crt'),
    musicDir: text('MUSIC_DIR', PATH, 'an absolute path', '/usr/share/parley/music'),
  };
}

/** FreeSWITCH's levels, and the names that Parley's own processes have for them. */
const LOG_LEVELS: Readonly<Record<string, string>> = {
  crit: 'crit',
  err: 'err',
  warning: 'warning',
  notice: 'notice',
  info: 'info',
  debug: 'debug',
  fatal: 'crit',
  error: 'err',
  warn: 'warning',
  trace: 'debug',
};

function readLogLevel(written: string): string {
  const level = LOG_LEVELS[written];
  if (level === undefined) throw new WrongSetting('LOG_LEVEL', 'crit, err, warning, notice, info or debug');
  return level;
}

function readRange(range: string): [number, number] {
  const [first = 0, last = 0] = (/^(\d+)-(\d+)$/.exec(range) ?? []).slice(1).map(Number);
  if (first < 1024 || last <= first || last > 65_535)
    throw new WrongSetting('RTP_PORTS', 'two ports, such as 16384-32768');
  return [first, last];
}

function readGateways(json: string): readonly Gateway[] {
  const expected = 'a JSON array of {name, proxy, username, password, register}';
  let listed: unknown;
  try {
    listed = JSON.parse(json);
  } catch {
    throw new WrongSetting('GATEWAYS', expected);
  }
  if (!Array.isArray(listed)) throw new WrongSetting('GATEWAYS', expected);
  return listed.map((item: Partial<Gateway> | null) => {
    const { name = '', proxy = '', username = '', password = '', register = false } = item ?? {};
    const isRight =
      NAME.test(name) && HOST.test(proxy) && /^[\w.+@-]{1,100}$/.test(username) && /^[^"<>&$\s]{1,200}$/.test(password);
    if (!isRight || typeof register !== 'boolean') throw new WrongSetting('GATEWAYS', expected);
    return { name, proxy, username, password, register };
  });
}
