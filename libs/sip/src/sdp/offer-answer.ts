import type { Codec } from '@parley/audio';
import {
  type AudioDescription,
  type Direction,
  readSessionDescription,
  writeSessionDescription,
} from './session-description.ts';

/** Where and how audio is sent once both sides have agreed. */
export interface AgreedAudio {
  readonly address: string;
  readonly port: number;
  readonly codec: Codec;
  readonly payloadType: number;
  /** Undefined: the other side takes no keys. */
  readonly keysPayloadType: number | undefined;
  /** From our side. */
  readonly direction: Direction;
}

/** Where this side receives. */
export interface LocalAddress {
  readonly address: string;
  readonly port: number;
  readonly version: number;
}

const OFFERED: Pick<AudioDescription, 'codecs' | 'keysPayloadType'> = {
  codecs: [
    { codec: 'PCMU', payloadType: 0 },
    { codec: 'PCMA', payloadType: 8 },
  ],
  keysPayloadType: 101,
};

export function offerAudio(local: LocalAddress): string {
  return writeSessionDescription({ ...local, ...OFFERED, direction: 'sendrecv' });
}

/** The answer to an offer, with the codec that the other side prefers; undefined when there is nothing that both have. */
export function answerOffer(offer: string, local: LocalAddress): { answer: string; agreed: AgreedAudio } | undefined {
  const description = readSessionDescription(offer);
  const agreed = agreedWith(description?.audio);
  if (!description || !agreed) return undefined;
  const { codec, payloadType, keysPayloadType, direction } = agreed;
  const answer = writeSessionDescription(
    { ...local, codecs: [{ codec, payloadType }], keysPayloadType, direction },
    description.media,
  );
  return { answer, agreed };
}

/** What was agreed by an answer to our offer; undefined when it has no audio for us. */
export function acceptAnswer(answer: string): AgreedAudio | undefined {
  return agreedWith(readSessionDescription(answer)?.audio);
}

function agreedWith(audio: AudioDescription | undefined): AgreedAudio | undefined {
  const [first] = audio?.codecs ?? [];
  if (!audio || !first) return undefined;
  const { address, port, keysPayloadType } = audio;
  return { address, port, ...first, keysPayloadType, direction: mirrored(audio.direction) };
}

const MIRRORED: Readonly<Record<Direction, Direction>> = {
  sendrecv: 'sendrecv',
  sendonly: 'recvonly',
  recvonly: 'sendonly',
  inactive: 'inactive',
};
const mirrored = (direction: Direction): Direction => MIRRORED[direction];

export const sends = ({ direction }: AgreedAudio): boolean => direction === 'sendrecv' || direction === 'sendonly';
export const receives = ({ direction }: AgreedAudio): boolean => direction === 'sendrecv' || direction === 'recvonly';
