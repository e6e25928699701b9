import { openPhoneCompany, type Employee, type PhoneCompany } from '../calls/phone-company.ts';
import type { LocalJson } from '../support/local-stack.ts';
import { readWav } from '@parley/audio';
import { waitUntil } from '@parley/testkit/wait-until';
import { header } from '@parley/sip';
import { openPhone, type PhoneCall, type Registers, type SipPhone } from './sip-phone.ts';

/** The addresses of the switch's SIP profiles and of the phones of the check. */
export interface CheckAddresses {
  readonly ip: string;
  readonly phones: string;
  readonly carriers: string;
  readonly carrierPort: number;
  /** Of a second switch, where there is one. */
  readonly other?: { readonly phones: string; readonly carriers: string } | undefined;
}

/** Which of two switches. */
type Which = 'first' | 'other';

/** An employee's phone with its credential. */
export interface EmployeePhone extends SipPhone {
  readonly sessionId: string;
}

export interface CheckEnvironment {
  readonly company: PhoneCompany;
  readonly addresses: CheckAddresses;
  /** Everybody outside: calls business numbers, and is called through CARRIERS. */
  readonly carrier: SipPhone;
  phoneOf(employee: Employee, options?: { registers?: Registers; at?: Which }): Promise<EmployeePhone>;
  /** A new customer dials, as `user` if it is given. */
  dial(number: string, user?: string, at?: Which): Promise<PhoneCall & { readonly from: string }>;
  /** The call that rings at a phone. */
  rings(phone: SipPhone): Promise<PhoneCall>;
  callId(call: PhoneCall): string;
  callFrom(from: string): Promise<string>;
  until(what: string, holds: () => boolean | Promise<boolean>, limitMs?: number): Promise<void>;
  /** Samples (8 kHz) of a WAV file at an address. */
  samples(url: string): Promise<{ channels: Int16Array[]; rate: number }>;
  close(): void;
}

let customers = 0;

export async function openCheckEnvironment(stack: LocalJson, addresses: CheckAddresses): Promise<CheckEnvironment> {
  const company = await openPhoneCompany(stack);
  const { ip, carriers, carrierPort } = addresses;
  const serverOf = (profile: 'phones' | 'carriers', at: Which = 'first') =>
    at === 'first' || !addresses.other ? addresses[profile] : addresses.other[profile];
  const carrier = await openPhone({ ip, port: carrierPort, server: carriers, user: 'carrier', domain: ip });
  const opened: SipPhone[] = [carrier];
  const until = async (what: string, holds: () => boolean | Promise<boolean>, limitMs = 20_000) => {
    await waitUntil(holds, { what: what, timeoutMs: limitMs });
  };
  return {
    company,
    addresses,
    carrier,
    async phoneOf(employee, { registers = {}, at } = {}) {
      const { status, body, text } = await employee.call('POST', '/softphone_sessions');
      if (status !== 201) throw new Error(`no credential: ${text}`);
      const domain = String(body.sip_uri).split('@')[1] ?? '';
      const { username: user, password } = body;
      const phone = await openPhone({ ip, server: serverOf('phones', at), user, domain, password, registers });
      opened.push(phone);
      return Object.assign(phone, { sessionId: body.id as string });
    },
    async dial(number, user, at) {
      const from =
        user ?? `+4520${String(Date.now() % 10_000).padStart(4, '0')}${String((customers += 1)).padStart(2, '0')}`;
      const customer = await openPhone({ ip, server: serverOf('carriers', at), user: from, domain: ip });
      opened.push(customer);
      return Object.assign(await customer.dial(number), { from });
    },
    rings: (phone) =>
      waitUntil(() => phone.calls.find(({ state }) => state === 'ringing'), { what: 'the phone rings' }),
    callId: ({ invite }) => (invite ? header(invite, 'x-parley-call') : ''),
    callFrom: (from) =>
      waitUntil(
        async () => {
          const { body } = await company.company.call('GET', '/calls');
          return (body.calls as { id: string; from: string }[]).find((call) => call.from === from)?.id;
        },
        { what: 'a call' },
      ),
    until,
    async samples(url) {
      const response = await fetch(url);
      if (response.status !== 200) throw new Error(`${response.status} for audio`);
      const { channels, rate } = readWav(await response.bytes())!;
      return { rate, channels: channels.map((samples) => Int16Array.from(samples, (sample) => sample * 32_768)) };
    },
    close() {
      for (const phone of opened) phone.close();
    },
  };
}
