import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { EmployeeLookupService } from '@parley/proto/directory/v1/employees_pb';
import type { RpcClient } from '@parley/rpc';
import { notFound, Refused } from '@parley/errors';
import type { PhoneRegistrationService } from '@parley/proto/call_control/v1/presence_pb';
import type { Registration } from '../switch/registrations.ts';
import type { Switch } from '../switch/switch.ts';
import type { TelephoneNetwork } from '../telephony/telephone-network.ts';

/** The data of an employee that a softphone needs. */
interface SoftphoneUser {
  readonly employeeId: string;
  readonly companyId: string;
}

interface SoftphonesOptions {
  network: TelephoneNetwork;
  sipDomain: string;
}

/** The expiry that browsers request; a phone renews its registration well before that. */
const EXPIRES_SECS = 300;
const REFRESH_MS = 60_000;
const FIRST_PORT = 20_001;
const LAST_PORT = 65_535;

/** The employees' softphones: one for each employee, registered at the switch while it is on line. */
export class Softphones {
  readonly #network: TelephoneNetwork;
  readonly #sipDomain: string;
  readonly #registrations = new Map<string, Registration>();
  readonly #refresh: NodeJS.Timeout;
  #nextPort = FIRST_PORT;

  constructor({ network, sipDomain }: SoftphonesOptions) {
    this.#network = network;
    this.#sipDomain = sipDomain;
    const registerAll = (at: Switch) =>
      this.#registrations.forEach((registration) => at.registrations.register(registration));
    network.onSwitchStart(registerAll);
    this.#refresh = setInterval(() => registerAll(network.switch), REFRESH_MS);
  }

  stop(): void {
    clearInterval(this.#refresh);
  }

  isOnline(employeeId: string): boolean {
    return this.#registrations.has(employeeId);
  }

  hasBrowser(employeeId: string): boolean {
    const { registrations } = this.#network.switch;
    return registrations.of(`${employeeId}@${this.#sipDomain}`).some(({ phone }) => phone !== undefined);
  }

  /** Undefined while the phone is off line. */
  userOf(employeeId: string): SoftphoneUser | undefined {
    const companyId = this.#registrations.get(employeeId)?.variables['company_id'];
    return companyId === undefined ? undefined : { employeeId, companyId };
  }

  /** The SIP Call-ID of the registration. */
  goOnline({ employeeId, companyId }: SoftphoneUser): string {
    const registration = this.#registrations.get(employeeId) ?? this.#newRegistration(employeeId, companyId);
    this.#registrations.set(employeeId, registration);
    this.#network.switch.registrations.register(registration);
    return registration.callId;
  }

  #newRegistration(employeeId: string, companyId: string): Registration {
    const port = this.#nextPort;
    this.#nextPort = port < LAST_PORT ? port + 1 : FIRST_PORT;
    return {
      callId: `${randomUUID()}@softphone`,
      user: employeeId,
      domain: this.#sipDomain,
      uri: `sip:${employeeId}@127.0.0.1:${port}`,
      port,
      expiresSecs: EXPIRES_SECS,
      userAgent: 'sandbox softphone',
      variables: { employee_id: employeeId, company_id: companyId },
    };
  }

  /** The SIP Call-ID of the registration that ended, if there was one. */
  goOffline(employeeId: string): string | undefined {
    const registration = this.#registrations.get(employeeId);
    if (!registration) return undefined;
    this.#registrations.delete(employeeId);
    this.#network.switch.registrations.unregister(registration.callId);
    return registration.callId;
  }

  /** Places a call as the phone's user; undefined when the phone is off line. */
  dial(employeeId: string, businessNumberId: string, to: string) {
    const registration = this.#registrations.get(employeeId);
    if (!registration) return undefined;
    const { domain, variables } = registration;
    return this.#network.dial({
      owner: { kind: 'employee', employeeId },
      profile: 'internal',
      from: { name: employeeId, number: employeeId },
      to,
      variables: {
        sip_authorized: 'true',
        sip_auth_username: employeeId,
        sip_auth_realm: domain,
        user_name: employeeId,
        domain_name: domain,
        'sip_h_X-Business-Number': businessNumberId,
        ...variables,
      },
    });
  }
}

/** The company of an employee. Throws `Refused` (not found) for an unknown one. */
export interface Employees {
  find(employeeId: string): Promise<SoftphoneUser>;
}

export function directoryEmployees(lookup: RpcClient<typeof EmployeeLookupService>): Employees {
  return {
    async find(employeeId) {
      const { employee } = await lookup.getEmployee({ id: employeeId });
      if (!employee) throw new Refused(notFound);
      return { employeeId: employee.id, companyId: employee.companyId };
    },
  };
}

/** Tells when call-control has processed a phone's registration. */
export interface PhonePresence {
  /** Resolves when presence counts the registration (`isRegistered`), or no longer counts it. */
  untilApplied(employeeId: string, callId: string, isRegistered: boolean): Promise<void>;
}

/** The time limit, because a switch may be unreachable for call-control. */
const WAIT_MAX_MS = 5000;
const LOOK_EVERY_MS = 20;

export function phonePresence(
  registrations: Pick<RpcClient<typeof PhoneRegistrationService>, 'listPhoneRegistrations'>,
  waitMaxMs = WAIT_MAX_MS,
): PhonePresence {
  return {
    async untilApplied(employeeId, callId, isRegistered) {
      for (const until = performance.now() + waitMaxMs; performance.now() < until; await sleep(LOOK_EVERY_MS)) {
        const { callIds } = await registrations.listPhoneRegistrations({ employeeId });
        if (callIds.includes(callId) === isRegistered) return;
      }
    },
  };
}
