import type { FrameSource } from '../audio/frames.ts';
import { userOf } from '../message/sip-address.ts';
import { header, type SipHeaders, type SipResponse } from '../message/sip-message.ts';
import { dialogOfCall, establish, newBranch } from './dialog.ts';
import { type CallContext, type CallEvents, DialogCall, type SipCall } from './sip-call.ts';
import type { SipConnection } from './sip-connection.ts';

export interface OutgoingCallEvents extends CallEvents {
  /** 180, or 183 with audio. */
  progress?(status: number): void;
  answered?(): void;
}

export interface OutgoingCallOptions {
  readonly from: { readonly name: string; readonly number: string };
  readonly headers?: SipHeaders;
  readonly events: OutgoingCallEvents;
  /** What the other side hears, instead of the call's `playout`. */
  readonly source?: FrameSource | undefined;
}

/** The longest wait for any response, and for the one to a cancelled INVITE: 64*T1 of RFC 3261. */
const RESPONSE_LIMIT_MS = 32_000;

export interface PlacedCall extends OutgoingCallOptions {
  readonly context: CallContext;
  readonly uri: string;
  readonly connection: SipConnection;
  readonly contact: string;
  readonly sentBy: string;
}

/** Sends an INVITE; everything else follows as events. */
export function placeCall(options: PlacedCall): SipCall {
  const { context, uri, from, events, connection, contact, sentBy, source } = options;
  const number = encodeURIComponent(from.number || 'anonymous').replaceAll('%2B', '+');
  const dialog = dialogOfCall(uri, { name: from.name, uri: `sip:${number}@${sentBy}` });
  const call = new DialogCall({ context, dialog, connection, user: userOf(uri), contact, sentBy, source });
  call.events = events;
  new OutgoingInvite(call, options).send().catch(() => call.endWith({ reason: 'unreachable' }));
  return call;
}

/** The transaction of our INVITE. */
class OutgoingInvite {
  readonly #call: DialogCall;
  readonly #options: PlacedCall;
  readonly #branch = newBranch();
  #limit: NodeJS.Timeout | undefined;
  #hasProgress = false;
  #isCancelled = false;
  #isAnswered = false;

  constructor(call: DialogCall, options: PlacedCall) {
    this.#call = call;
    this.#options = options;
    call.onInviteResponse = (response) => this.#onResponse(response);
  }

  async send(): Promise<void> {
    const call = this.#call;
    const isReady = await call.openAudio();
    if (call.hasEnded) return;
    if (!isReady || !call.connection.isOpen) return call.endWith({ reason: 'unreachable' });
    call.onEarlyEnd = () => this.#cancel();
    this.#waitFor(() => call.endWith({ reason: 'unreachable' }));
    call.sendNow('INVITE', {
      branch: this.#branch,
      headers: { ...this.#options.headers, Contact: call.contact, 'Content-Type': 'application/sdp' },
      body: call.offer(),
    });
  }

  #onResponse(response: SipResponse): void {
    const call = this.#call;
    if (response.status < 200) return this.#onProgress(response);
    clearTimeout(this.#limit);
    if (response.status >= 300) {
      establish(call.dialog, { ...response, headers: withoutContact(response) });
      // The acknowledgement of a refusal belongs to the transaction of the INVITE.
      call.sendNow('ACK', { branch: this.#branch });
      call.onInviteResponse = undefined;
      if (call.hasEnded) return call.forget();
      return call.endWith({ reason: 'refused', status: response.status });
    }
    establish(call.dialog, response);
    call.sendNow('ACK');
    // Repeated, because the ACK was late.
    if (this.#isAnswered) return;
    this.#isAnswered = true;
    call.onEarlyEnd = undefined;
    // The answer crossed our CANCEL.
    if (call.hasEnded) return call.sayGoodbye();
    call.confirm();
    if (!call.accept(response.body)) return call.endWith({ reason: 'unreachable' });
    this.#options.events.answered?.();
  }

  #onProgress(response: SipResponse): void {
    this.#hasProgress = true;
    const call = this.#call;
    if (call.hasEnded) return this.#isCancelled ? undefined : this.#sendCancel();
    clearTimeout(this.#limit);
    if (response.status === 100) return;
    if (response.body !== '') call.accept(response.body);
    this.#options.events.progress?.(response.status);
  }

  /** A CANCEL may only follow a provisional response (RFC 3261, section 9.1). */
  #cancel(): void {
    if (this.#hasProgress) this.#sendCancel();
    this.#waitFor(() => this.#call.forget());
  }

  #sendCancel(): void {
    this.#isCancelled = true;
    this.#call.sendNow('CANCEL', { branch: this.#branch });
  }

  #waitFor(expired: () => void): void {
    clearTimeout(this.#limit);
    this.#limit = setTimeout(expired, RESPONSE_LIMIT_MS);
    this.#limit.unref();
  }
}

/** A refusal does not say where further requests go. */
const withoutContact = (response: SipResponse): SipResponse['headers'] => new Map([['to', [header(response, 'to')]]]);
