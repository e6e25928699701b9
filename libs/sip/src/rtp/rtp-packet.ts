/** An RTP packet (RFC 3550, section 5.1). */
export interface RtpPacket {
  readonly payloadType: number;
  /** The first one after a silence. */
  readonly marker: boolean;
  readonly sequence: number;
  readonly timestamp: number;
  readonly source: number;
  readonly payload: Buffer;
}

const HEADER_BYTES = 12;
const VERSION = 2;

/** Undefined for anything that is no RTP. */
export function readRtp(packet: Buffer): RtpPacket | undefined {
  if (packet.length < HEADER_BYTES || packet[0]! >> 6 !== VERSION) return undefined;
  let start = HEADER_BYTES + 4 * (packet[0]! & 0x0f);
  const hasExtension = (packet[0]! & 0x10) !== 0;
  if (hasExtension) {
    if (packet.length < start + 4) return undefined;
    start += 4 + 4 * packet.readUInt16BE(start + 2);
  }
  const hasPadding = (packet[0]! & 0x20) !== 0;
  const end = packet.length - (hasPadding ? packet.at(-1)! : 0);
  if (start > end) return undefined;
  return {
    payloadType: packet[1]! & 0x7f,
    marker: (packet[1]! & 0x80) !== 0,
    sequence: packet.readUInt16BE(2),
    timestamp: packet.readUInt32BE(4),
    source: packet.readUInt32BE(8),
    payload: packet.subarray(start, end),
  };
}

/** Sequence, timestamp and source are taken modulo their lengths. */
export function writeRtp({ payloadType, marker, sequence, timestamp, source, payload }: RtpPacket): Buffer {
  const packet = Buffer.alloc(HEADER_BYTES + payload.length);
  packet[0] = VERSION << 6;
  packet[1] = (payloadType & 0x7f) | (marker ? 0x80 : 0);
  packet.writeUInt16BE(sequence & 0xffff, 2);
  packet.writeUInt32BE(timestamp >>> 0, 4);
  packet.writeUInt32BE(source >>> 0, 8);
  payload.copy(packet, HEADER_BYTES);
  return packet;
}

/** By how much one timestamp is after another, which may have begun again at 0. */
export const timestampsBetween = (from: number, to: number): number => (to - from) | 0;
