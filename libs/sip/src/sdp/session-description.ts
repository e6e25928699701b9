import { isIP, isIPv4 } from 'node:net';
import type { Codec } from '@parley/audio';

export type Direction = 'sendrecv' | 'sendonly' | 'recvonly' | 'inactive';

/** The audio that one side describes: where it receives, and what. */
export interface AudioDescription {
  readonly address: string;
  readonly port: number;
  /** By preference of that side, with its RTP payload types. */
  readonly codecs: readonly { readonly codec: Codec; readonly payloadType: number }[];
  /** The payload type of keys (RFC 4733), if that side takes them. */
  readonly keysPayloadType: number | undefined;
  readonly direction: Direction;
}

/** A session description (RFC 8866) as far as a telephone needs it. */
export interface SessionDescription {
  /** The first audio that is wanted. */
  readonly audio: AudioDescription | undefined;
  /** The `m=` lines, which an answer repeats in their order; `isAudio` marks the one above. */
  readonly media: readonly { readonly line: string; readonly isAudio: boolean }[];
}

const LENGTH_MAX = 16 * 1024;
const MEDIA_MAX = 16;
const STATIC_CODECS: Readonly<Record<number, Codec>> = { 0: 'PCMU', 8: 'PCMA' };
const DIRECTIONS: readonly string[] = ['sendrecv', 'sendonly', 'recvonly', 'inactive'];
const SAMPLE_RATE = 8000;

/** Undefined for anything that is no session description. */
export function readSessionDescription(text: string): SessionDescription | undefined {
  if (text.length > LENGTH_MAX) return undefined;
  const lines = text.split(/\r\n|\n|\r/).filter((line) => line !== '');
  if (lines[0] !== 'v=0' || lines.some((line) => !/^[a-z]=/.test(line))) return undefined;
  const firstMedia = lines.findIndex((line) => line.startsWith('m='));
  const session = firstMedia < 0 ? lines : lines.slice(0, firstMedia);
  const sections: string[][] = [];
  for (const line of firstMedia < 0 ? [] : lines.slice(firstMedia)) {
    if (line.startsWith('m=')) sections.push([]);
    sections.at(-1)!.push(line);
  }
  if (sections.length > MEDIA_MAX) return undefined;
  let audio: AudioDescription | undefined;
  const media = sections.map((section) => {
    const found = audio === undefined ? readAudio(section, session) : undefined;
    audio ??= found;
    return { line: section[0]!, isAudio: found !== undefined };
  });
  return { audio, media };
}

function readAudio(section: readonly string[], session: readonly string[]): AudioDescription | undefined {
  const [, port = '', list = ''] = /^m=audio (\d{1,5})(?:\/1)? RTP\/AVPF?((?: \d{1,3})+)$/.exec(section[0]!) ?? [];
  if (Number(port) === 0 || Number(port) > 65_535) return undefined;
  const address = connectionAddress(section) ?? connectionAddress(session);
  if (address === undefined) return undefined;
  const names = new Map<number, string>();
  for (const line of section) {
    const [, payloadType, name] = /^a=rtpmap:(\d{1,3}) (\S+)$/.exec(line) ?? [];
    if (payloadType !== undefined) names.set(Number(payloadType), name!.toUpperCase());
  }
  const payloadTypes = list.trim().split(' ').map(Number);
  return {
    address,
    port: Number(port),
    codecs: payloadTypes.flatMap((payloadType) => {
      const codec = codecOf(payloadType, names.get(payloadType));
      return codec ? [{ codec, payloadType }] : [];
    }),
    keysPayloadType: payloadTypes.find((one) => names.get(one) === `TELEPHONE-EVENT/${SAMPLE_RATE}`),
    direction: directionOf(section, session, address),
  };
}

function codecOf(payloadType: number, name: string | undefined): Codec | undefined {
  if (name === undefined) return STATIC_CODECS[payloadType];
  return (['PCMU', 'PCMA'] as const).find((codec) => name === `${codec}/${SAMPLE_RATE}` || name === `${codec}/8000/1`);
}

/** Only addresses: a name would have to be resolved. */
function connectionAddress(lines: readonly string[]): string | undefined {
  const line = lines.find((one) => one.startsWith('c='));
  const [, address = ''] = /^c=IN IP[46] ([^/\s]+)/.exec(line ?? '') ?? [];
  return isIP(address) > 0 ? address : undefined;
}

/** An address of zeros is how older phones put a call on hold (RFC 2543). */
function directionOf(section: readonly string[], session: readonly string[], address: string): Direction {
  if (address === '0.0.0.0' || address === '::') return 'inactive';
  const attribute = (lines: readonly string[]) =>
    lines.map((line) => line.replace(/^a=/, '')).find((name) => DIRECTIONS.includes(name));
  return (attribute(section) ?? attribute(session) ?? 'sendrecv') as Direction;
}

/** One side of a session, to be written. */
export interface LocalAudio extends AudioDescription {
  /** Increased with every change (RFC 3264, section 8). */
  readonly version: number;
}

/** `media`: the lines of the offer that is answered, of which all but the audio are refused. */
export function writeSessionDescription(local: LocalAudio, media: SessionDescription['media'] = []): string {
  const { address, port, codecs, keysPayloadType, direction, version } = local;
  const family = isIPv4(address) ? 'IP4' : 'IP6';
  const payloadTypes = [...codecs.map(({ payloadType }) => payloadType), keysPayloadType].filter(
    (one) => one !== undefined,
  );
  const audio = [
    `m=audio ${port} RTP/AVP ${payloadTypes.join(' ')}`,
    ...codecs.map(({ codec, payloadType }) => `a=rtpmap:${payloadType} ${codec}/${SAMPLE_RATE}`),
    ...(keysPayloadType === undefined
      ? []
      : [`a=rtpmap:${keysPayloadType} telephone-event/${SAMPLE_RATE}`, `a=fmtp:${keysPayloadType} 0-16`]),
    'a=ptime:20',
    `a=${direction}`,
  ];
  const lines = media.length === 0 ? audio : media.flatMap(({ line, isAudio }) => (isAudio ? audio : [refused(line)]));
  return [
    'v=0',
    `o=- ${version} ${version} IN ${family} ${address}`,
    's=-',
    `c=IN ${family} ${address}`,
    't=0 0',
    ...lines,
    '',
  ].join('\r\n');
}

/** The same line with port 0 (RFC 3264, section 6). */
const refused = (line: string): string => line.replace(/^(m=\S+ )\S+/, '$10');
