/** The used part of JsSIP's events. */
export interface LegEvents {
  readonly accepted: object;
  readonly failed: LegEnd;
  readonly ended: LegEnd;
  readonly peerconnection: { readonly peerconnection: RTCPeerConnection };
}

interface LegEnd {
  readonly originator: string;
  readonly cause: string;
  readonly message?: { getHeader?(name: string): string | undefined } | null;
}

/** This phone's connection with a call: the used part of JsSIP's session. */
export interface Leg {
  readonly connection: { readonly iceConnectionState: string; readonly connectionState: string } | null | undefined;
  on<Name extends keyof LegEvents>(name: Name, listener: (event: LegEvents[Name]) => void): unknown;
  terminate: (options?: { cause?: string; status_code?: number; reason_phrase?: string }) => void;
  answer(options?: object): void;
  mute(options?: { audio: boolean }): void;
  unmute(options?: { audio: boolean }): void;
  isEnded(): boolean;
  sendDTMF(key: string, options?: object): void;
}

/** JsSIP's word for audio that has failed for good. */
export const AUDIO_FAILED = 'RTP Timeout';

export function isSilent(leg: Leg): boolean {
  return ['disconnected', 'failed'].includes(leg.connection?.iceConnectionState ?? '');
}
