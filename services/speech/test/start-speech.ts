import { SpeechService } from '@parley/proto/speech/v1/speech_pb';
import type { RpcClient } from '@parley/rpc';
import { startServiceForTest } from '@parley/testkit/service';
import { service } from '../src/index.ts';

/** The speech service with its real engines; they are fetched once into the cache of the checkout. */
export interface TestSpeech {
  /** To the service, as the service of that name. */
  as(peer: string): RpcClient<typeof SpeechService>;
  readonly speech: RpcClient<typeof SpeechService>;
  stop(): Promise<void>;
}

/** The first use on a machine fetches 250 MB; every later one takes seconds. */
export const TIME_LIMIT_MS = 300_000;

const limitSecs = String(TIME_LIMIT_MS / 1000);
const limits = {
  SYNTHESIS_LIMIT_SECS: limitSecs,
  TRANSCRIPTION_LIMIT_SECS: limitSecs,
  SUMMARY_LIMIT_SECS: limitSecs,
  EMBEDDING_LIMIT_SECS: limitSecs,
};

export async function startSpeech(settings: Record<string, string> = {}): Promise<TestSpeech> {
  const running = await startServiceForTest(service, { settings: { ...limits, ...settings } });
  const as = (peer: string) => running.as(peer).client(SpeechService);
  return { as, speech: as('call-control'), stop: running.stop };
}
