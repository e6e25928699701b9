import { randomBytes } from 'node:crypto';
import type { RemoteInfo } from 'node:dgram';
import type { SipHeaders, SipRequest } from '@parley/sip';
import type { RtpStream } from './rtp-stream.ts';

/** A SIP dialog of a test phone. */
export interface Dialog {
  readonly callId: string;
  localTag: string;
  remote: string;
  local: string;
  target: string;
  /** The proxies that requests of the dialog go through. */
  routes: readonly string[];
  sequence: number;
  audio: RtpStream;
  state: 'calling' | 'ringing' | 'talking' | 'ended';
  cause: string;
  invite: SipRequest | undefined;
  from: RemoteInfo | undefined;
  /** The INVITE we sent last, to cancel it. */
  sent: { branch: string; sequence: number; uri: string; headers: SipHeaders } | undefined;
  progress: number[];
  retried: boolean;
  /** It was cancelled: an answer that was faster is ended by BYE (RFC 3261, 9.1). */
  isCancelled: boolean;
}

export const newTag = () => randomBytes(6).toString('hex');

export function newDialog(callId: string, audio: RtpStream, change: Partial<Dialog>): Dialog {
  return {
    callId,
    localTag: newTag(),
    remote: '',
    local: '',
    target: '',
    routes: [],
    sequence: 1,
    audio,
    state: 'calling',
    cause: '',
    invite: undefined,
    from: undefined,
    sent: undefined,
    progress: [],
    retried: false,
    isCancelled: false,
    ...change,
  };
}
