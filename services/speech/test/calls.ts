import { setTimeout as sleep } from 'node:timers/promises';
import type { ListenResponse, RecognizedSpeech, SpeechService } from '@parley/proto/speech/v1/speech_pb';
import type { RpcClient } from '@parley/rpc';
import { TELEPHONE_RATE } from '../src/audio/speech-samples.ts';

type Client = Pick<RpcClient<typeof SpeechService>, 'listen'>;
type Sent = Parameters<Client['listen']>[0] extends AsyncIterable<infer Message> ? Message : never;

export const start = (language = 'en', companyId = 'com_a'): Sent => ({
  request: { case: 'start', value: { language, companyId } },
});
export const audio = (value: Uint8Array): Sent => ({ request: { case: 'audio', value } });
export const taken = (untilMs: number): Sent => ({ request: { case: 'taken', value: { untilMs } } });

/** What a telephone sends every 20 ms. */
const PACKET_MS = 20;
const PACKET_BYTES = (PACKET_MS * TELEPHONE_RATE * 2) / 1000;

export function* packets(pcm: Uint8Array): Generator<Sent> {
  for (let at = 0; at < pcm.length; at += PACKET_BYTES) yield audio(pcm.subarray(at, at + PACKET_BYTES));
}

export const silence = (ms: number) => Buffer.alloc((ms * TELEPHONE_RATE * 2) / 1000);

/** The samples of a WAV file as a telephone sends them. */
export const pcmOfWav = (wav: Buffer) => wav.subarray(44);

/** An event, and how many milliseconds after the first packet it came. */
export interface Heard {
  readonly response: ListenResponse['response'];
  readonly cameMs: number;
}

export interface CallOptions {
  readonly language?: string;
  readonly companyId?: string;
  /** As fast as somebody speaks, once the engines are loaded; else as fast as it is heard. */
  readonly realTime?: boolean;
  readonly timeoutMs: number;
}

/** One side of a call, from its beginning to its end. */
export async function listenToCall(
  speech: Client,
  pcm: Uint8Array,
  { language = 'en', companyId = 'com_a', realTime = false, timeoutMs }: CallOptions,
): Promise<Heard[]> {
  const loaded = Promise.withResolvers<void>();
  let startedAt = performance.now();
  async function* requests() {
    yield start(language, companyId);
    if (realTime) await loaded.promise;
    startedAt = performance.now();
    let sentMs = 0;
    for (const packet of packets(pcm)) {
      sentMs += PACKET_MS;
      const aheadMs = startedAt + sentMs - performance.now();
      if (realTime && aheadMs > 0) await sleep(aheadMs);
      yield packet;
    }
  }
  const heard: Heard[] = [];
  for await (const { response } of speech.listen(requests(), { timeoutMs })) {
    if (response.case === 'ready') loaded.resolve();
    heard.push({ response, cameMs: performance.now() - startedAt });
  }
  return heard;
}

export function recognizedIn(heard: readonly Pick<Heard, 'response'>[]): RecognizedSpeech[] {
  return heard.flatMap(({ response }) => (response.case === 'recognized' ? [response.value] : []));
}
