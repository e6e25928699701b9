import type { SubmitResult } from '../messages/outbound-message.ts';

/** A text to submit. */
export interface Submission {
  readonly from: string;
  readonly to: string;
  readonly text: string;
}

/** An incoming text as the provider reports it. */
export interface IncomingText {
  readonly providerMessageId: string;
  readonly from: string;
  /** Our number. */
  readonly to: string;
  /** Empty when there is none, which only a picture message may have. */
  readonly text: string;
  /** A multimedia message (MMS), of which only the text is received. */
  readonly picture: boolean;
  readonly receivedAt: Date | null;
  readonly smsCount: number | null;
  readonly encoding: 'gsm7' | 'ucs2' | null;
}

/** A provider's report about a submitted text. */
export interface IncomingReport {
  readonly providerId: string;
  /** Our number. */
  readonly from: string;
  readonly to: string;
  readonly text: string | null;
  /** The provider's own status. */
  readonly providerStatus: string;
  readonly status: 'accepted' | 'delivered' | 'failed' | 'unknown';
  readonly failureCode: string | null;
  readonly at: Date;
}

export type Callback =
  | { readonly kind: 'text'; readonly text: IncomingText }
  | { readonly kind: 'report'; readonly report: IncomingReport }
  /** An event that is ignored. */
  | { readonly kind: 'ignored' };

/** An SMS provider. */
export interface SmsProvider {
  /** Sends one request, never repeated. Returns every outcome instead of throwing. */
  submit(submission: Submission, signal?: AbortSignal): Promise<SubmitResult>;
  /** Verifies that a callback was signed by the provider, not more than a few minutes before `now`. */
  isAuthentic(callback: { rawBody: Uint8Array; signature: string; timestamp: string }, now: Date): boolean;
  /** Undefined when the body is not a callback of the provider. */
  readCallback(rawBody: Uint8Array, now: Date): Callback | undefined;
}
