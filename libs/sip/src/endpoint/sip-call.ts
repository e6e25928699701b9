import { type Clip, PlayoutQueue } from '../audio/playout-queue.ts';
import type { FrameSource } from '../audio/frames.ts';
import { sequenceOf, type SipHeaders, type SipRequest, type SipResponse } from '../message/sip-message.ts';
import { AudioStream } from '../rtp/audio-stream.ts';
import type { AudioFrame } from '../rtp/frame-delivery.ts';
import type { JitterStatistics } from '../rtp/jitter-buffer.ts';
import type { RtpPorts } from '../rtp/rtp-ports.ts';
import { acceptAnswer, type AgreedAudio, answerOffer, offerAudio } from '../sdp/offer-answer.ts';
import { type Dialog, dialogRequest, responseTo } from './dialog.ts';
import type { SipConnection } from './sip-connection.ts';

/**
 * Why a call ended: we or the other side hung up, nothing was heard from it any more, it never confirmed our answer, it could not be
 * reached, or the endpoint was stopped. A refusal of a call that we placed has its status.
 */
export interface CallEnd {
  readonly reason: 'hung_up' | 'other_side' | 'silent' | 'unconfirmed' | 'unreachable' | 'refused' | 'stopped';
  readonly status?: number;
}

/** What a call does. Nothing follows after `ended`. */
export interface CallEvents {
  /** Every 20 ms from the answer on, whether something arrived or not. */
  audio?(frame: AudioFrame): void;
  /** A key that the other side pressed (RFC 4733). */
  key?(key: string): void;
  /** A clip of `playout` has been sent completely. */
  played?(clip: Clip): void;
  ended?(end: CallEnd): void;
}

/** A call with audio: 8 kHz, in frames of 20 ms. */
export interface SipCall {
  readonly id: string;
  /** The user part of the address that was called. */
  readonly user: string;
  /** What the other side hears, unless another source was given. */
  readonly playout: PlayoutQueue;
  readonly hasEnded: boolean;
  /** How long nothing has arrived from the other side. */
  readonly silentMs: number;
  readonly statistics: Readonly<JitterStatistics> & { readonly delayMs: number };
  /** Sends keys to the other side, one after the other; resolves when that is done. */
  press(keys: string): Promise<void>;
  hangUp(): void;
}

/** What calls have of their endpoint. */
export interface CallContext {
  readonly rtpPorts: RtpPorts;
  /** When a call is silent for this long, the other side is asked whether it still has the call. */
  readonly mediaTimeoutMs: number;
  /** The address in session descriptions. */
  mediaAddressAt(connection: SipConnection): string;
  allows(address: string): boolean;
  /** Another connection to the other side of a call, because its own is closed. */
  reconnect(dialog: Dialog, last: SipConnection): Promise<SipConnection>;
  register(call: DialogCall): void;
  remove(call: DialogCall): void;
}

const SILENCE_CHECK_MS = 500;
/** Time for the response to a request within the call. */
const RESPONSE_LIMIT_MS = 5000;
/** Time for the ACK of our answer: 64*T1 of RFC 3261. */
const CONFIRM_LIMIT_MS = 32_000;

export interface DialogCallOptions {
  readonly context: CallContext;
  readonly dialog: Dialog;
  readonly connection: SipConnection;
  readonly user: string;
  /** Our Contact. */
  readonly contact: string;
  /** Our address in the Via of requests. */
  readonly sentBy: string;
  /** Instead of `playout`. */
  readonly source?: FrameSource | undefined;
}

/** One call from its first message to its last, whoever placed it. */
export class DialogCall implements SipCall {
  readonly id: string;
  readonly user: string;
  readonly playout: PlayoutQueue;
  readonly dialog: Dialog;
  readonly contact: string;
  connection: SipConnection;
  events: CallEvents = {};
  /** Takes the responses to the INVITE of a call that we placed. */
  onInviteResponse: ((response: SipResponse) => void) | undefined;
  /** Withdraws the INVITE of a call that we placed, and forgets the call when that is settled. */
  onEarlyEnd: (() => void) | undefined;
  readonly #context: CallContext;
  readonly #sentBy: string;
  readonly #source: FrameSource;
  #stream: AudioStream | undefined;
  #version = 1;
  #state: 'early' | 'answered' | 'confirmed' | 'ended' = 'early';
  /** Requests of ours that have no response, by their sequence number. */
  readonly #pending = new Map<number, (status: number) => void>();
  /** The INVITE that was answered with an offer of ours: the answer comes with the ACK. */
  #awaitsAnswer = false;
  #confirmTimer: NodeJS.Timeout | undefined;
  #silenceTimer: NodeJS.Timeout | undefined;
  /** When the other side last said that it still has the call. */
  #affirmedAt = -Infinity;
  #isAsking = false;

  constructor(options: DialogCallOptions) {
    this.#context = options.context;
    this.dialog = options.dialog;
    this.id = options.dialog.localTag;
    this.connection = options.connection;
    this.user = options.user;
    this.contact = options.contact;
    this.#sentBy = options.sentBy;
    this.playout = new PlayoutQueue((clip) => this.events.played?.(clip));
    this.#source = options.source ?? this.playout;
    options.context.register(this);
  }

  get hasEnded(): boolean {
    return this.#state === 'ended';
  }

  get isEarly(): boolean {
    return this.#state === 'early';
  }

  get silentMs(): number {
    return this.#stream?.silentMs ?? 0;
  }

  get statistics(): SipCall['statistics'] {
    return this.#stream?.statistics ?? { received: 0, lost: 0, late: 0, duplicated: 0, reordered: 0, delayMs: 0 };
  }

  async press(keys: string): Promise<void> {
    for (const key of keys) await this.#stream?.press(key);
  }

  hangUp(): void {
    this.endWith({ reason: 'hung_up' });
  }

  /** False when there is no port for its audio. */
  async openAudio(): Promise<boolean> {
    const socket = await this.#context.rtpPorts.open();
    if (!socket) return false;
    this.#stream = new AudioStream({
      socket,
      source: this.#source,
      allows: (address) => this.#context.allows(address),
      events: {
        audio: (frame) => this.events.audio?.(frame),
        key: (key) => this.events.key?.(key),
      },
    });
    if (!this.hasEnded) return true;
    this.#stream.close();
    return false;
  }

  offer(): string {
    return offerAudio(this.#local());
  }

  /** Our answer to an offer; undefined when there is no audio that both have. */
  answerTo(offer: string): string | undefined {
    const answered = answerOffer(offer, this.#local());
    if (answered) this.#connect(answered.agreed);
    return answered?.answer;
  }

  /** False when the answer has no audio for us. */
  accept(answer: string): boolean {
    const agreed = acceptAnswer(answer);
    if (agreed) this.#connect(agreed);
    return agreed !== undefined;
  }

  /** Our answer to the INVITE has been sent; `body` is the description in it. */
  answered(isOffer: boolean): void {
    this.#state = 'answered';
    this.#awaitsAnswer = isOffer;
    this.#confirmTimer = setTimeout(() => {
      this.endWith({ reason: 'unconfirmed' });
      this.#confirmed();
    }, CONFIRM_LIMIT_MS);
  }

  /** Both sides have confirmed the call. */
  confirm(): void {
    if (this.hasEnded) return;
    this.#state = 'confirmed';
    this.#silenceTimer = setInterval(() => this.#checkSilence(), SILENCE_CHECK_MS);
  }

  /** Ends the call here; a call that both sides have is also ended at the other side. */
  endWith(end: CallEnd): void {
    if (this.hasEnded) return;
    const wasEarly = this.isEarly;
    const wasConfirmed = this.#state === 'confirmed';
    const isAwaitingAck = this.#state === 'answered';
    this.#state = 'ended';
    clearInterval(this.#silenceTimer);
    this.#stream?.close();
    const isOtherSide = end.reason === 'other_side' || end.reason === 'refused';
    if (isOtherSide) this.forget();
    else if (wasConfirmed) this.sayGoodbye();
    else if (wasEarly && this.onEarlyEnd) this.onEarlyEnd();
    // A BYE may not be sent before the ACK has come (RFC 3261, section 15).
    else if (!isAwaitingAck) this.forget();
    this.events.ended?.(end);
  }

  /** Ends without a word to anybody. */
  abandon(): void {
    this.#state = 'ended';
    clearInterval(this.#silenceTimer);
    this.#stream?.close();
    this.forget();
  }

  /** Ends the call at the other side, as well as it can be reached. */
  sayGoodbye(): void {
    this.#request('BYE')
      .catch(() => undefined)
      .finally(() => this.forget());
  }

  /** Nothing that comes belongs to it any more. */
  forget(): void {
    clearTimeout(this.#confirmTimer);
    this.#context.remove(this);
  }

  /** A request of the other side within the call. */
  onRequest(request: SipRequest, connection: SipConnection): void {
    // The other side may have lost its connection and made another one.
    this.connection = connection;
    const { number } = sequenceOf(request);
    if (request.method === 'ACK') return this.#onAck(request);
    if (number < this.dialog.remoteSequence) return this.#respond(request, 500);
    this.dialog.remoteSequence = number;
    switch (request.method) {
      case 'BYE':
        this.#respond(request, 200);
        return this.endWith({ reason: 'other_side' });
      case 'INVITE':
        return this.#onOffer(request, true);
      case 'UPDATE':
        return request.body === '' ? this.#respond(request, 200) : this.#onOffer(request, false);
      case 'OPTIONS':
      case 'INFO':
        return this.#respond(request, 200);
      default:
        return this.#respond(request, 405);
    }
  }

  onResponse(response: SipResponse): void {
    const { number, method } = sequenceOf(response);
    if (method === 'INVITE') return this.onInviteResponse?.(response);
    if (response.status >= 200) this.#pending.get(number)?.(response.status);
  }

  /** Sends a request that nobody answers, or whose response somebody else takes. */
  sendNow(method: string, more: { branch?: string; headers?: SipHeaders; body?: string } = {}): void {
    this.connection.send(dialogRequest(this.dialog, method, { sentBy: this.#sentBy, ...more }));
  }

  /** Hold, other addresses, or only a sign of life. */
  #onOffer(request: SipRequest, isInvite: boolean): void {
    if (this.hasEnded) return this.#respond(request, 481);
    this.#version += 1;
    const isOffer = request.body === '';
    const description = isOffer ? this.offer() : this.answerTo(request.body);
    if (description === undefined) return this.#respond(request, 488);
    this.#awaitsAnswer = isInvite && isOffer;
    this.#respond(request, 200, description);
  }

  #onAck(request: SipRequest): void {
    if (this.#awaitsAnswer && request.body !== '') this.accept(request.body);
    this.#awaitsAnswer = false;
    this.#confirmed();
  }

  #confirmed(): void {
    if (this.#confirmTimer === undefined) return;
    clearTimeout(this.#confirmTimer);
    this.#confirmTimer = undefined;
    if (this.hasEnded) this.sayGoodbye();
    else this.confirm();
  }

  #respond(request: SipRequest, status: number, body = ''): void {
    const headers = body === '' ? {} : { Contact: this.contact };
    this.connection.send(responseTo(request, status, { tag: this.dialog.localTag, headers, body }));
  }

  /** The status of the response. */
  async #request(method: string): Promise<number> {
    if (!this.connection.isOpen) this.connection = await this.#context.reconnect(this.dialog, this.connection);
    this.dialog.localSequence += 1;
    const number = this.dialog.localSequence;
    return new Promise((resolve) => {
      const settle = (status: number) => {
        clearTimeout(limit);
        this.#pending.delete(number);
        resolve(status);
      };
      const limit = setTimeout(() => settle(408), RESPONSE_LIMIT_MS);
      limit.unref();
      this.#pending.set(number, settle);
      this.sendNow(method);
    });
  }

  /** A side that has gone without a word is noticed by its silence; one that only has nothing to say is asked, and goes on. */
  #checkSilence(): void {
    const limit = this.#context.mediaTimeoutMs;
    const heardMs = Math.min(this.silentMs, performance.now() - this.#affirmedAt);
    if (heardMs < limit || this.#isAsking) return;
    this.#isAsking = true;
    this.#request('OPTIONS')
      .then((status) => {
        if (status === 481 || status === 408) return this.endWith({ reason: 'silent' });
        this.#affirmedAt = performance.now();
      })
      .catch(() => this.endWith({ reason: 'silent' }))
      .finally(() => (this.#isAsking = false));
  }

  #connect(agreed: AgreedAudio): void {
    this.#stream?.connect(agreed);
  }

  #local(): { address: string; port: number; version: number } {
    const address = this.#context.mediaAddressAt(this.connection);
    return { address, port: this.#stream?.port ?? 0, version: this.#version };
  }
}
