import type { RtpStream } from './rtp-stream.ts';

/** A session description (RFC 8866) for PCMU and RFC 4733 events. */
export function writeSdp(ip: string, port: number): string {
  return [
    'v=0',
    `o=- 1 1 IN IP4 ${ip}`,
    's=-',
    `c=IN IP4 ${ip}`,
    't=0 0',
    `m=audio ${port} RTP/AVP 0 101`,
    'a=rtpmap:0 PCMU/8000',
    'a=rtpmap:101 telephone-event/8000',
    'a=fmtp:101 0-16',
    'a=ptime:20',
    'a=sendrecv',
    '',
  ].join('\r\n');
}

/** Connects a stream to the address of the other side's session description. */
export function connectAudio(audio: RtpStream, sdp: string): void {
  const port = /^m=audio (\d+)/m.exec(sdp)?.[1];
  const host = /^c=IN IP4 (\S+)/m.exec(sdp)?.[1];
  if (port && host) audio.connect(host, Number(port));
}
