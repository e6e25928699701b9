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
  switch (cause) {
    case 'Canceled':
      return undefined;
    case 'Busy':
      return t('The line is busy.');
    case 'Rejected':
      return t('The call was rejected.');
    case 'Not Found':
    case 'Address Incomplete':
      return t('The number does not exist.');
    case 'Unavailable':
    case 'No Answer':
    case 'Request Timeout':
      return t('Nobody answered.');
    case 'User Denied Media Access':
      return microphoneDenied();
    default:
      return t('The call could not be made. Try again.');
  }
}

export const microphoneDenied = (): string =>
  t(
    'The microphone cannot be used. Allow it for this site in your browser, then switch on “Available for calls” again.',
  );

/** The part of a phone number that is dialled: spaces and punctuation are for people. */
export function dialledNumber(typed: string): string {
  return typed.replaceAll(/[\s().\-/]/g, '').replace(/^00/, '+');
}
