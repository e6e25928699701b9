import { t } from '../i18n/translate.ts';

/** A call of this browser. */
export interface PhoneCall {
  readonly direction: 'incoming' | 'outgoing';
  readonly state: 'ringing' | 'active';
  /** The other end: a phone number, or `anonymous`. */
  readonly number: string;
  /** The call's id in the API; null until it is known. */
  readonly callId: string | null;
  /** When the conversation began, in milliseconds since the epoch; null before. */
  readonly activeSince: number | null;
  readonly isMuted: boolean;
}

export interface PhoneState {
  /** The user has chosen to receive calls here. */
  readonly isEnabled: boolean;
  /** `asking`: waiting for permission to use the microphone. */
  readonly registration: 'off' | 'asking' | 'connecting' | 'registered';
  readonly call: PhoneCall | null;
  /** Somebody who calls during the call. */
  readonly waiting: PhoneCall | null;
  /** A conversation that was left for the call. */
  readonly held: PhoneCall | null;
  /** Information for the user; null when there is none. */
  readonly notice: string | null;
}

export const initialState: PhoneState = {
  isEnabled: false,
  registration: 'off',
  call: null,
  waiting: null,
  held: null,
  notice: null,
};

/** The end of an unanswered incoming call, for the person it rang for. */
export function endOfRinging({ cause, reasonHeader }: { cause: string; reasonHeader: string | undefined }): string {
  if (reasonHeader?.includes('Call completed elsewhere')) return t('The call was answered elsewhere.');
  return cause === 'Canceled' ? t('The caller hung up.') : t('The call has ended.');
}

/** The end of an outgoing call before it was answered; undefined when there is nothing to say. */
export function endOfDialling(cause: string): string | undefined {
  if (cause === 'Canceled') return undefined;
  const texts: Readonly<Record<string, string>> = {
    Busy: t('The line is busy.'),
    Rejected: t('The call was rejected.'),
    'Not Found': t('The number does not exist.'),
    'Address Incomplete': t('The number does not exist.'),
    Unavailable: t('Nobody answered.'),
    'No Answer': t('Nobody answered.'),
    'Request Timeout': t('Nobody answered.'),
    'User Denied Media Access': microphoneDenied(),
  };
  return texts[cause] ?? t('The call could not be made. Try again.');
}

export const microphoneDenied = (): string =>
  t(
    'The microphone cannot be used. Allow it for this site in your browser, then switch on “Available for calls” again.',
  );

/** The part of a phone number that is dialled: spaces and punctuation are for people. */
export function dialledNumber(typed: string): string {
  return typed.replaceAll(/[\s().\-/]/g, '').replace(/^00/, '+');
}
