import { decodeG711, encodeG711 } from '@parley/audio';
import { FRAME_SAMPLES, KeyReceiver, paceFrames, SAMPLE_RATE } from '@parley/sip';
import {
  MediaStreamTrack,
  RTCPeerConnection,
  RTCRtpCodecParameters,
  type RTCSessionDescription,
  RtpHeader,
  RtpPacket,
  usePCMU,
} from 'werift';
import { Playout } from '../audio/playout.ts';
import { resample } from '../audio/resample.ts';
import type { Sound } from '../audio/wav.ts';

const PCMU = 0;
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
  readonly #keys = new KeyReceiver();
  #pacer: { stop(): void } | undefined;
  #sequence = 0;
  #timestamp = 0;
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
      if (state === 'connected' && !this.#isClosed) this.#pacer ??= paceFrames((skipped) => this.#sendFrame(skipped));
      if (state === 'closed' || state === 'failed') this.#stopSending();
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
    this.#stopSending();
    await this.#peer.close();
  }

  async #describe(create: () => Promise<RTCSessionDescription>): Promise<string> {
    await this.#peer.setLocalDescription(await create());
    if (this.#peer.iceGatheringState !== 'complete') {
      await this.#peer.iceGatheringStateChange.watch((state) => state === 'complete');
    }
    return this.#peer.localDescription!.sdp;
  }

  #stopSending(): void {
    this.#pacer?.stop();
    this.#pacer = undefined;
  }

  /** What could not be sent in time is not sent later: a person would hear everything else too late. */
  #sendFrame(skipped: number): void {
    this.#playout.take(skipped * FRAME_SAMPLES);
    this.#sequence = (this.#sequence + 1) & 0xffff;
    this.#timestamp = (this.#timestamp + (skipped + 1) * FRAME_SAMPLES) >>> 0;
    const header = new RtpHeader({
      payloadType: PCMU,
      sequenceNumber: this.#sequence,
      timestamp: this.#timestamp,
      // The sender sets its own.
      ssrc: 1,
    });
    this.#track.writeRtp(new RtpPacket(header, encodeG711('PCMU', this.#playout.take(FRAME_SAMPLES))));
  }

  #receive({ header, payload }: RtpPacket): void {
    this.receivedAt = performance.now();
    if (header.payloadType === PCMU) return this.#events.frame(decodeG711('PCMU', payload));
    const digit = this.#keys.receive(payload, header.timestamp);
    if (digit !== undefined) this.#events.digit(digit);
  }
}
