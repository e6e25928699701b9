import { userOf } from '../message/sip-address.ts';
import { header, type SipRequest } from '../message/sip-message.ts';
import { answerOffer } from '../sdp/offer-answer.ts';
import { type Dialog, responseTo } from './dialog.ts';
import { type CallContext, type CallEvents, DialogCall, type SipCall } from './sip-call.ts';
import type { SipConnection } from './sip-connection.ts';

/** Somebody calls. */
export interface Invite {
  /** The user part of the address that was called. */
  readonly user: string;
  readonly remoteAddress: string;
  /** The first header of a name in lower case; empty if there is none. */
  header(name: string): string;
  /** Aborted when the caller gives up before there is a decision. */
  readonly signal: AbortSignal;
}

/** Refuses with a SIP status from 400 to 699, or answers: `accept` is called when the call begins. */
export type InviteDecision = { readonly refuse: number } | { readonly accept: (call: SipCall) => CallEvents };

export interface InvitationOptions {
  readonly context: CallContext;
  readonly request: SipRequest;
  readonly dialog: Dialog;
  readonly connection: SipConnection;
  readonly contact: string;
  readonly sentBy: string;
  readonly decide: (invite: Invite) => InviteDecision | Promise<InviteDecision>;
}

/** An INVITE that has no final response yet. */
export class Invitation {
  readonly #options: InvitationOptions;
  readonly #withdrawn = new AbortController();
  #isOpen = true;

  constructor(options: InvitationOptions) {
    this.#options = options;
  }

  /** Resolves when the INVITE has its final response. */
  async handle(): Promise<void> {
    const { request, connection, decide } = this.#options;
    connection.send(responseTo(request, 100));
    if (request.body !== '' && !isAnswerable(request.body)) return this.#refuse(488);
    const decision = await decide({
      user: userOf(request.uri),
      remoteAddress: connection.remoteAddress,
      header: (name) => header(request, name),
      signal: this.#withdrawn.signal,
    });
    if (!this.#isOpen) return undefined;
    if ('refuse' in decision) return this.#refuse(decision.refuse);
    return this.#accept(decision.accept);
  }

  /** The caller gives up; false when it is too late for that. */
  cancel(): boolean {
    if (!this.#isOpen) return false;
    this.#refuse(487);
    this.#withdrawn.abort();
    return true;
  }

  fail(): void {
    this.#refuse(500);
  }

  async #accept(accept: (call: SipCall) => CallEvents): Promise<void> {
    const { request, connection, dialog, context, contact, sentBy } = this.#options;
    const call = new DialogCall({ context, dialog, connection, user: userOf(request.uri), contact, sentBy });
    const isReady = await call.openAudio();
    if (!isReady || !this.#isOpen || !connection.isOpen) {
      call.endWith({ reason: 'unreachable' });
      return this.#refuse(503);
    }
    this.#isOpen = false;
    call.events = accept(call);
    const isOffer = request.body === '';
    const body = isOffer ? call.offer() : call.answerTo(request.body)!;
    connection.send(responseTo(request, 200, { tag: dialog.localTag, headers: { Contact: contact }, body }));
    call.answered(isOffer);
  }

  #refuse(status: number): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    const { request, connection, dialog } = this.#options;
    connection.send(responseTo(request, status, { tag: dialog.localTag }));
  }
}

const isAnswerable = (offer: string): boolean =>
  answerOffer(offer, { address: '0.0.0.0', port: 0, version: 1 }) !== undefined;
