import { randomUUID } from 'node:crypto';
import {
  encodeRequest,
  encodeResponse,
  header,
  parameterOf,
  repeatedHeaders,
  type SipHeaders,
  type SipRequest,
  type SipResponse,
  uriOf,
} from '@parley/sip';
import type { Sound } from '../audio/wav.ts';
import type { Channel } from '../switch/channel.ts';
import { pressKey } from '../switch/dtmf.ts';
import { hangup } from '../switch/hangup.ts';
import { causeOfRefusal, q850Of, sipStatusOf } from '../switch/hangup-causes.ts';
import type { PhoneLink } from '../switch/phone-link.ts';
import { LiveAudio, watchMedia } from '../switch/live-audio.ts';
import { BrowserMedia } from './browser-media.ts';

/** The WebSocket of a browser, or the next one after it lost its connection. */
export interface SipTransport {
  send(message: string): void;
}

/** Both ends of a dialog (RFC 3261, section 12). */
interface Dialog {
  readonly callId: string;
  readonly local: string;
  /** Without a tag until the other end has one. */
  remote: string;
  /** The Contact of the browser, to which requests are sent. */
  target: string;
  sequence: number;
}

const OUR_CONTACT = '<sip:sandbox.invalid;transport=ws>';
/** On a busy machine the connection takes its time; after that the missing audio counts. */
const FIRST_AUDIO_MS = 15_000;
/** The longest wait for a response to a cancelled INVITE: 64*T1 of RFC 3261. */
const RESPONSE_LIMIT_MS = 32_000;

const RESPONSE_HEADER = 'sip_rh_';

/** FreeSWITCH's, for a caller without a number. */
const NO_NUMBER = '0000000000';

const userPart = (number: string): string => encodeURIComponent(number || NO_NUMBER).replaceAll('%2B', '+');
const newBranch = (): string => `z9hG4bK${randomUUID()}`;

/** One call of a browser: its SIP dialog, its audio, and its channel of the switch. */
export class BrowserCall implements PhoneLink {
  readonly isRealTime = false;
  readonly callId: string;
  readonly #channel: Channel;
  readonly #dialog: Dialog;
  readonly #media: BrowserMedia;
  readonly #audio: LiveAudio;
  readonly #tag: string;
  readonly #onEnd: (call: BrowserCall) => void;
  /** Identifies the transaction of a call to the browser. */
  readonly #branch = newBranch();
  #onRinging: () => void = () => undefined;
  /** Our INVITE has no final response yet. */
  #isInviting = false;
  /** The INVITE of a call from the browser that is not answered yet. */
  #invitation: SipRequest | undefined;
  /** The answer to the offer of a call from the browser. */
  #description: Promise<string> = Promise.resolve('');
  #state: 'early' | 'connected' | 'ended' = 'early';
  #mediaWatch: { stop(): void } | undefined;
  transport: SipTransport;

  private constructor(
    channel: Channel,
    transport: SipTransport,
    dialog: Dialog,
    tag: string,
    onEnd: (call: BrowserCall) => void,
  ) {
    this.#channel = channel;
    this.transport = transport;
    this.#dialog = dialog;
    this.callId = dialog.callId;
    this.#tag = tag;
    this.#onEnd = onEnd;
    this.#audio = new LiveAudio(channel);
    this.#media = new BrowserMedia({
      frame: (samples) => this.#hear(samples),
      digit: (digit) => pressKey(channel, digit, 'RTP'),
    });
    channel.link = this;
  }

  /** Calls a browser. */
  static toBrowser(
    channel: Channel,
    contact: string,
    transport: SipTransport,
    onEnd: (call: BrowserCall) => void,
    onRinging: () => void,
  ): BrowserCall {
    const tag = randomUUID();
    const { name, number } = channel.caller;
    const dialog: Dialog = {
      callId: randomUUID(),
      local: `"${name.replaceAll(/["\\]/g, '')}" <sip:${userPart(number)}@sandbox.invalid>;tag=${tag}`,
      remote: `<${contact}>`,
      target: contact,
      sequence: 1,
    };
    const call = new BrowserCall(channel, transport, dialog, tag, onEnd);
    call.#onRinging = onRinging;
    return call;
  }

  /** A browser calls. */
  static fromBrowser(
    channel: Channel,
    invitation: SipRequest,
    transport: SipTransport,
    onEnd: (call: BrowserCall) => void,
  ): BrowserCall {
    const tag = randomUUID();
    const dialog: Dialog = {
      callId: header(invitation, 'call-id'),
      local: `${header(invitation, 'to')};tag=${tag}`,
      remote: header(invitation, 'from'),
      target: uriOf(header(invitation, 'contact')),
      sequence: 0,
    };
    const call = new BrowserCall(channel, transport, dialog, tag, onEnd);
    call.#invitation = invitation;
    call.#description = call.#media.answer(invitation.body);
    call.#description.catch(() => call.#refused(invitation));
    return call;
  }

  /** Sends the INVITE of a call to the browser. */
  async invite(): Promise<void> {
    const description = await this.#media.offer();
    if (this.#state !== 'early') return;
    const headers = { ...this.#requestHeaders('INVITE', this.#branch), Contact: OUR_CONTACT };
    const described = { ...headers, ...this.#channel.ownSipHeaders(), 'Content-Type': 'application/sdp' };
    this.#isInviting = true;
    this.transport.send(encodeRequest('INVITE', this.#dialog.target, described, description));
  }

  ringing(): void {
    if (this.#invitation) this.#respond(this.#invitation, 180, 'Ringing');
  }

  earlyMedia(): void {
    this.#whenDescribed((invitation, description) => this.#respond(invitation, 183, 'Session Progress', description));
  }

  answered(): void {
    this.#whenDescribed((invitation, description) => {
      this.#respond(invitation, 200, 'OK', description);
      this.#invitation = undefined;
      this.#connected();
    });
  }

  /** Nothing when the call has ended meanwhile, or when it is one to the browser. */
  #whenDescribed(send: (invitation: SipRequest, description: string) => void): void {
    const described = this.#description.then((description) => {
      if (this.#invitation) send(this.#invitation, description);
    });
    this.#channel.core.detach(described);
  }

  /** The browser's offer has no audio that both have. */
  #refused(invitation: SipRequest): void {
    if (this.#state !== 'early') return;
    this.#respond(invitation, 488, 'Not Acceptable Here');
    this.#endedByPhone('INTERWORKING');
  }

  hungUp(cause: string): void {
    if (this.#state === 'ended') return;
    if (this.#state === 'connected') this.#request('BYE');
    else if (this.#invitation) this.#respond(this.#invitation, sipStatusOf(cause), 'Ended');
    else if (this.#isInviting) this.#cancel(cause);
    this.#end();
  }

  play(source: string, sound: Sound, repeat?: 'repeat'): void {
    this.#media.play(source, sound, repeat);
  }

  stopPlaying(source: string): void {
    this.#media.stopPlaying(source);
  }

  forward(source: string, samples: Int16Array): void {
    this.#media.forward(source, samples);
  }

  /** Browsers have no use for the keys of others. */
  press(): void {}

  /** A response to our INVITE; those to other requests change nothing. */
  async onResponse(response: SipResponse): Promise<void> {
    if (!header(response, 'cseq').endsWith(' INVITE') || response.status === 100) return;
    this.#dialog.remote = header(response, 'to');
    if (response.status < 200) return this.#onRinging();
    this.#isInviting = false;
    if (this.#state === 'ended') this.#onEnd(this);
    if (response.status >= 300) {
      // The acknowledgement of a refusal belongs to the transaction of the INVITE.
      this.#acknowledge(this.#branch);
      if (this.#state === 'early') this.#endedByPhone(causeOfRefusal(response.status));
      return;
    }
    this.#dialog.target = uriOf(header(response, 'contact')) || this.#dialog.target;
    this.#acknowledge(newBranch());
    if (this.#state === 'connected') return;
    const isTaken = this.#state === 'early' && this.#channel.onAnswer !== undefined;
    if (!isTaken) return this.#request('BYE');
    await this.#media.accept(response.body);
    this.#connected();
    this.#channel.onAnswer?.();
  }

  /** A request of the browser within the call. */
  async onRequest(request: SipRequest): Promise<void> {
    const isEstablished = parameterOf(header(request, 'to'), 'tag') === this.#tag;
    // Only a CANCEL, or the ACK of a refusal, comes without our tag.
    if (!isEstablished && !['CANCEL', 'ACK'].includes(request.method)) {
      return this.#respond(request, 481, 'Call Does Not Exist');
    }
    switch (request.method) {
      case 'ACK':
        return;
      case 'BYE':
        this.#respond(request, 200, 'OK');
        return this.#endedByPhone('NORMAL_CLEARING');
      case 'CANCEL': {
        this.#respond(request, 200, 'OK');
        const invitation = this.#invitation;
        if (!invitation) return;
        this.#respond(invitation, 487, 'Request Terminated');
        return this.#endedByPhone('ORIGINATOR_CANCEL');
      }
      case 'INVITE': {
        // Hold, or a new network: the audio is negotiated again.
        const description = await this.#media.answer(request.body);
        return this.#respond(request, 200, 'OK', description);
      }
      case 'INFO':
      case 'UPDATE':
      case 'OPTIONS':
        return this.#respond(request, 200, 'OK');
      default:
        return this.#respond(request, 405, 'Method Not Allowed');
    }
  }

  #connected(): void {
    this.#state = 'connected';
    const firstExpectedAt = performance.now() + FIRST_AUDIO_MS;
    this.#mediaWatch = watchMedia(this.#channel, () => performance.now() - (this.#media.receivedAt ?? firstExpectedAt));
  }

  #endedByPhone(cause: string): void {
    this.#end();
    hangup(this.#channel, cause, 'party');
  }

  /** The switch has stopped, so nothing is sent to the browser. */
  abandon(): void {
    this.#state = 'ended';
    this.#invitation = undefined;
    this.#mediaWatch?.stop();
    this.#media.close().catch(() => undefined);
  }

  #end(): void {
    if (this.#state === 'ended') return;
    this.abandon();
    // An answer may cross the CANCEL: a BYE then ends the call in the browser.
    if (this.#isInviting) setTimeout(() => this.#onEnd(this), RESPONSE_LIMIT_MS).unref();
    else this.#onEnd(this);
  }

  #hear(samples: Int16Array): void {
    if (this.#state === 'connected') this.#audio.hear(samples);
  }

  #requestHeaders(method: string, branch: string): SipHeaders {
    const { callId, local, remote, sequence } = this.#dialog;
    return {
      Via: `SIP/2.0/WS sandbox.invalid;branch=${branch}`,
      'Max-Forwards': '70',
      From: local,
      To: remote,
      'Call-ID': callId,
      CSeq: `${sequence} ${method}`,
    };
  }

  #request(method: string): void {
    this.#dialog.sequence += 1;
    this.transport.send(encodeRequest(method, this.#dialog.target, this.#requestHeaders(method, newBranch())));
  }

  #acknowledge(branch: string): void {
    this.transport.send(encodeRequest('ACK', this.#dialog.target, this.#requestHeaders('ACK', branch)));
  }

  /** The reason tells the page whether the call was answered elsewhere or missed. */
  #cancel(cause: string): void {
    const reason =
      cause === 'LOSE_RACE'
        ? 'SIP;cause=200;text="Call completed elsewhere"'
        : `Q.850;cause=${q850Of(cause)};text="${cause}"`;
    // A CANCEL has the To of its INVITE: without a tag.
    const headers = { ...this.#requestHeaders('CANCEL', this.#branch), To: `<${this.#dialog.target}>`, Reason: reason };
    this.transport.send(encodeRequest('CANCEL', this.#dialog.target, headers));
  }

  #respond(request: SipRequest, status: number, reason: string, description = ''): void {
    const described = description === '' ? {} : { 'Content-Type': 'application/sdp' };
    const own = status >= 300 ? this.#refusalHeaders() : {};
    const headers = { ...repeatedHeaders(request, this.#tag), Contact: OUR_CONTACT, ...described, ...own };
    this.transport.send(encodeResponse(status, reason, headers, description));
  }

  /** Like the real switch: variables with this prefix are headers of the response that refuses a call. */
  #refusalHeaders(): SipHeaders {
    const own = [...this.#channel.variables].filter(([name]) => name.startsWith(RESPONSE_HEADER));
    return Object.fromEntries(own.map(([name, value]) => [name.slice(RESPONSE_HEADER.length), value]));
  }
}
