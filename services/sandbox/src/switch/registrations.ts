import type { Channel } from './channel.ts';
import type { SwitchCore } from './switch-core.ts';

/** A phone that can be reached: one for each Call-ID. */
export interface Registration {
  readonly callId: string;
  readonly user: string;
  readonly domain: string;
  /** The contact as the switch lists it: the text of the phone, and for a real phone its connection. */
  readonly uri: string;
  /** The source port of the REGISTER. */
  readonly port: number;
  readonly expiresSecs: number;
  readonly userAgent: string;
  /** Variables from the directory, which are part of every event of the phone. */
  readonly variables: Readonly<Record<string, string>>;
  /** Absent for the phones of the sandbox itself. */
  readonly phone?: RealPhone;
}

/** A real phone that is registered. */
export interface RealPhone {
  /** Rings the phone at the address that was dialled; `onRinging` when it says so. Answers and refusals reach the channel. */
  ring(channel: Channel, dialled: string, onRinging: () => void): void;
}

/** The registrations and their events. */
export class Registrations {
  readonly #core: SwitchCore;
  readonly #byCallId = new Map<string, Registration>();

  constructor(core: SwitchCore) {
    this.#core = core;
  }

  /** A REGISTER that was accepted: a new registration or a renewal. */
  register(registration: Registration): void {
    this.#byCallId.set(registration.callId, registration);
    const { user, domain, expiresSecs } = registration;
    this.#core.publishCustom('sofia::register', {
      'profile-name': 'internal',
      ...fromHeaders(registration),
      'presence-hosts': 'n/a',
      rpid: 'unknown',
      status: registrationStatus(registration),
      expires: String(expiresSecs),
      'to-user': user,
      'to-host': domain,
      ...networkHeaders(registration),
      ...registration.variables,
    });
  }

  unregister(callId: string, more: Readonly<Record<string, string>> = {}): void {
    const registration = this.#byCallId.get(callId);
    if (!registration) return;
    this.#byCallId.delete(callId);
    this.#core.publishCustom('sofia::unregister', {
      'profile-name': 'internal',
      ...fromHeaders(registration),
      rpid: 'unknown',
      ...networkHeaders(registration),
      expires: '0',
      ...registration.variables,
      ...more,
    });
  }

  /** Ends the registrations of a Call-ID, of a user (`user@domain`) or of a domain; of `reboot`, all. */
  flush(whom: string): void {
    for (const registration of this.list()) {
      const { callId, user, domain } = registration;
      if (![callId, `${user}@${domain}`, domain].includes(whom) && whom.toLowerCase() !== 'reboot') continue;
      this.#byCallId.delete(callId);
      this.#core.publishCustom('sofia::expire', {
        'profile-name': 'internal',
        'call-id': callId,
        user,
        host: domain,
        contact: contactHeader(registration),
        expires: String(Math.floor(this.#core.clock.now().getTime() / 1000)),
        ...networkHeaders(registration),
      });
    }
  }

  list(): readonly Registration[] {
    return [...this.#byCallId.values()];
  }

  /** `address` is `user@domain`. */
  of(address: string): readonly Registration[] {
    return this.list().filter(({ user, domain }) => `${user}@${domain}` === address);
  }

  /** The phone that a request to an address reaches, and that recognizes it as its own. */
  atContact(uri: string): Registration | undefined {
    const port = portOf(uri);
    const [address = ''] = uri.split(';');
    return this.list().find((registration) => registration.port === port && registration.uri.split(';')[0] === address);
  }
}

/** The first `fs_path` has the address to which requests are sent; otherwise it is the URI itself. */
function portOf(uri: string): number {
  const path = /;fs_path=([^;]*)/.exec(uri)?.[1];
  return Number(/:(\d+)(?:$|;)/.exec(path === undefined ? uri : decoded(path))?.[1] ?? 5060);
}

const decoded = (text: string): string =>
  text.replaceAll(/%([\dA-F]{2})/gi, (_escape, code: string) => String.fromCodePoint(Number.parseInt(code, 16)));

export const registrationStatus = ({ phone }: Registration): string =>
  phone ? 'Registered(WS-NAT)' : 'Registered(UDP)';

export const contactHeader = ({ uri }: Registration): string => `"" <${uri}>`;

const fromHeaders = (registration: Registration) => ({
  'from-user': registration.user,
  'from-host': registration.domain,
  contact: contactHeader(registration),
  'call-id': registration.callId,
});

const networkHeaders = ({ user, domain, port, userAgent }: Registration) => ({
  'network-ip': '127.0.0.1',
  'network-port': String(port),
  username: user,
  realm: domain,
  'user-agent': userAgent,
  sip_auth_username: user,
  sip_auth_realm: domain,
  user_name: user,
  domain_name: domain,
});
