import { type Environment, settingsReader, WrongSetting } from '@parley/freeswitch';

/** A switch behind the proxy. */
export interface EdgeSwitch {
  readonly host: string;
  readonly phonesPort: number;
  readonly carriersPort: number;
}

/** The values of the templates. */
export interface EdgeSettings {
  readonly ip: string;
  /** Behind NAT: the address that phones and carriers see. */
  readonly externalIp: string | undefined;
  readonly phonesPort: number;
  readonly carriersPort: number;
  readonly websocketPort: number | undefined;
  readonly secureWebsocketPort: number | undefined;
  readonly tlsCertFile: string;
  readonly tlsKeyFile: string;
  readonly sipDomain: string;
  readonly carrierNetworks: readonly string[];
  readonly switches: readonly EdgeSwitch[];
  /** Requests of one source within two seconds, beyond which the proxy does not answer it. */
  readonly requestsPerSource: number;
  readonly workers: number;
}

const IPV4 = /^\d{1,3}(?:\.\d{1,3}){3}$/;
const FILE = /^\/[\w./-]*$/;

/** Reads the settings of the proxy from the environment. */
export function readEdgeSettings(env: Environment): EdgeSettings {
  const { text, count, port, optionalPort, networks } = settingsReader(env);
  return {
    ip: text('EDGE_IP', IPV4, 'an IPv4 address of this machine'),
    externalIp: env.EXTERNAL_IP ? text('EXTERNAL_IP', IPV4, 'an IPv4 address') : undefined,
    phonesPort: port('PHONES_PORT', 5060),
    carriersPort: port('CARRIERS_PORT', 5080),
    websocketPort: optionalPort('WEBSOCKET_PORT', 'off'),
    secureWebsocketPort: optionalPort('SECURE_WEBSOCKET_PORT', 7443),
    tlsCertFile: text('TLS_CERT_FILE', FILE, 'an absolute path', '/etc/kamailio/tls/tls.crt'),
    tlsKeyFile: text('TLS_KEY_FILE', FILE, 'an absolute path', '/etc/kamailio/tls/tls.key'),
    sipDomain: text('SIP_DOMAIN', /^[\w.-]{1,253}$/, 'a domain', 'parley.invalid'),
    carrierNetworks: networks('CARRIER_NETWORKS', ''),
    switches: readSwitches(env.EDGE_SWITCHES ?? ''),
    requestsPerSource: count('REQUESTS_PER_SOURCE', 60),
    workers: count('WORKERS', 4),
  };
}

/** `host`, or `host:<port for phones>:<port for carriers>`, separated by commas. */
function readSwitches(list: string): readonly EdgeSwitch[] {
  const expected = 'addresses of switches, such as 10.0.0.5 or 10.0.0.5:5060:5080, separated by commas';
  const switches = list.split(',').flatMap((item) => item.trim() || []);
  if (switches.length === 0) throw new WrongSetting('EDGE_SWITCHES', expected);
  return switches.map((written) => {
    const [, host = '', phones = '5060', carriers = '5080'] = /^([\d.]+)(?::(\d{1,5}):(\d{1,5}))?$/.exec(written) ?? [];
    const ports = [Number(phones), Number(carriers)] as const;
    if (!IPV4.test(host) || !ports.every((number) => number > 0 && number < 65_536))
      throw new WrongSetting('EDGE_SWITCHES', expected);
    return { host, phonesPort: ports[0], carriersPort: ports[1] };
  });
}
