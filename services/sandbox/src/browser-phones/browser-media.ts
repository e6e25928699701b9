import {
  MediaStreamTrack,
  RTCPeerConnection,
  RTCRtpCodecParameters,
  type RTCSessionDescription,
  RtpHeader,
  RtpPacket,
  usePCMU,
} from 'werift';
import { decodeMuLaw, encodeMuLaw } from '../audio/mu-law.ts';
import { Playout } from '../audio/playout.ts';
import { resample } from '../audio/resample.ts';
import type { Sound } from '../audio/wav.ts';

export const SAMPLE_RATE = 8000;
const FRAME_MS = 20;
const FRAME = (SAMPLE_RATE * FRAME_MS) / 1000;
const PCMU = 0;
const DIGITS = '0123456789*#ABCD';
/** After a pause of the process frames are skipped instead of being sent all at once. */
const LATE_FRAMES_MAX = 10;
/** More than this of a live source is dropped, so that it does not lag behind. */
const LIVE_WAITING_MAX_MS = 400;

export interface MediaEvents {
  /** Audio of the microphone. */
  frame(samples: Int16Array): void;
  /** A key that was pressed (RFC 4733). */
  digit(digit: string): void;
}

/** The audio of one call with a browser: WebRTC with G.711, which every browser has. */
export class BrowserMedia {
  readonly #events: MediaEvents;
  readonly #peer: RTCPeerConnection;
  readonly #track = new MediaStreamTrack({ kind: 'audio' });
  readonly #playout = new Playout(SAMPLE_RATE);
  #clock: NodeJS.Timeout | undefined;
  /** When the next frame is to be sent, by the monotonic clock. */
  #dueAt = 0;
  #sequence = 0;
  #timestamp = 0;
  #digitAt: number | undefined;
  #isClosed = false;
  /** When the browser last sent audio, by the monotonic clock. */
  receivedAt: number | undefined;

  constructor(events: MediaEvents) {
    this.#events = events;
    const telephoneEvent = new RTCRtpCodecParameters({
      mimeType: 'audio/telephone-event',
      clockRate: SAMPLE_RATE,
      channels: 1,
      payloadType: 101,
    });
    this.#peer = new RTCPeerConnection({
      codecs: { audio: [usePCMU(), telephoneEvent] },
      iceServers: [],
      iceAdditionalHostAddresses: ['127.0.0.1'],
    });
    this.#peer.onTrack.subscribe((track) => track.onReceiveRtp.subscribe((packet) => this.#receive(packet)));
    this.#peer.connectionStateChange.subscribe((state) => {
      if (state === 'connected') this.#startClock();
      if (state === 'closed' || state === 'failed') this.#stopClock();
    });
  }

  /** The description to offer to the browser. */
  async offer(): Promise<string> {
    this.#peer.addTransceiver(this.#track, { direction: 'sendrecv' });
    return this.#describe(() => this.#peer.createOffer());
  }

  /** Applies the SDP answer of the browser. */
  async accept(answer: string): Promise<void> {
    await this.#peer.setRemoteDescription({ type: 'answer', sdp: answer });
  }

  /** The answer to what the browser offers, at the beginning or again during the call. */
  async answer(offer: string): Promise<string> {
    await this.#peer.setRemoteDescription({ type: 'offer', sdp: offer });
    const [transceiver] = this.#peer.getTransceivers();
    if (transceiver && transceiver.sender.track !== this.#track) {
      await transceiver.sender.replaceTrack(this.#track);
      transceiver.setDirection('sendrecv');
    }
    return this.#describe(() => this.#peer.createAnswer());
  }

  play(source: string, sound: Sound, repeat?: 'repeat'): void {
    const samples = resample(sound, SAMPLE_RATE);
    if (repeat) this.#playout.loop(source, samples);
    else this.#playout.add(source, samples);
  }

  stopPlaying(source: string): void {
    this.#playout.stop(source);
  }

  forward(source: string, samples: Int16Array): void {
    this.#playout.add(source, samples, LIVE_WAITING_MAX_MS);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#stopClock();
    await this.#peer.close();
  }

  async #describe(create: () => Promise<RTCSessionDescription>): Promise<string> {
    await this.#peer.setLocalDescription(await create());
    if (this.#peer.iceGatheringState !== 'complete') {
      await this.#peer.iceGatheringStateChange.watch((state) => state === 'complete');
    }
    return this.#peer.localDescription!.sdp;
  }

  #startClock(): void {
    if (this.#clock || this.#isClosed) return;
    this.#dueAt = performance.now();
    this.#clock = setInterval(() => this.#sendDue(), FRAME_MS);
  }

  #stopClock(): void {
    clearInterval(this.#clock);
    this.#clock = undefined;
  }

  /** Timers are late: as many frames as the time since the last ones needs. */
  #sendDue(): void {
    const now = performance.now();
    this.#dueAt = Math.max(this.#dueAt, now - LATE_FRAMES_MAX * FRAME_MS);
    while (this.#dueAt <= now) {
      this.#dueAt += FRAME_MS;
      this.#sendFrame();
    }
  }

  #sendFrame(): void {
    this.#sequence = (this.#sequence + 1) & 0xffff;
    this.#timestamp = (this.#timestamp + FRAME) >>> 0;
    const header = new RtpHeader({
      payloadType: PCMU,
      sequenceNumber: this.#sequence,
      timestamp: this.#timestamp,
      // The sender sets its own.
      ssrc: 1,
    });
    this.#track.writeRtp(new RtpPacket(header, encodeMuLaw(this.#playout.take(FRAME))));
  }

  #receive({ header, payload }: RtpPacket): void {
    this.receivedAt = performance.now();
    if (header.payloadType === PCMU) return this.#events.frame(decodeMuLaw(payload));
    // A key is reported in several packets with one timestamp.
    const digit = DIGITS[payload[0] ?? DIGITS.length];
    if (digit === undefined || payload.length < 4 || this.#digitAt === header.timestamp) return;
    this.#digitAt = header.timestamp;
    this.#events.digit(digit);
  }
}
