import { requestTarget, type SipEndpoint, startSipEndpoint } from '@parley/sip';
import type { Channel } from '../switch/channel.ts';
import { SipPhoneCall } from './sip-phone-call.ts';

export interface SipTrunkOptions {
  /** Where the switch takes SIP of its calls, `host:port`; RTP is on any port of the host. */
  readonly listen: string;
}

/** Calls of one run of the switch to SIP addresses, over TCP. It begins with the first of them. */
export class SipTrunk {
  readonly #options: SipTrunkOptions;
  #endpoint: Promise<SipEndpoint> | undefined;

  constructor(options: SipTrunkOptions) {
    this.#options = options;
  }

  /** False for what is no SIP address over TCP. */
  static reaches(uri: string): boolean {
    return requestTarget(uri) !== undefined && /;transport=tcp(?:;|$)/i.test(uri);
  }

  async ring(channel: Channel, dialled: string, onRinging: () => void): Promise<void> {
    const call = new SipPhoneCall(channel);
    this.#endpoint ??= startSipEndpoint({
      ...this.#options,
      rtpPorts: 'any',
      // Who is called may be anywhere; nobody calls here.
      allowedAddresses: ['0.0.0.0/0', '::/0'],
      onInvite: () => ({ refuse: 403 }),
    });
    await call.dial(await this.#endpoint, requestTarget(dialled)!, onRinging);
  }

  /** The switch has ended without a word to anybody. */
  die(): void {
    this.#endpoint?.then((endpoint) => endpoint.abort()).catch(() => undefined);
  }
}
