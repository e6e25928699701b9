import { setTimeout as sleep } from 'node:timers/promises';
import { SpeechService } from '@parley/proto/speech/v1/speech_pb';
import { createRpcServer, createVerifier, services, Unavailable } from '@parley/rpc';
import type { Telemetry } from '@parley/telemetry';
import { aWav } from './a-wav.ts';

/** A speech service that returns as many samples as the text has characters. */
export interface TestSpeech {
  /** What it was asked to say. */
  readonly said: { text: string; language: string }[];
  /** While true every request fails. */
  broken: boolean;
  /** How long the one engine is busy with each request; 0 for not at all. */
  busyMs: number;
  stop(): Promise<void>;
}

export async function startTestSpeech(
  address: string,
  trusted: Record<string, string>,
  telemetry: Telemetry,
): Promise<TestSpeech> {
  const server = createRpcServer({ telemetry, verify: createVerifier(trusted), ready: async () => true });
  const speech: TestSpeech = { said: [], broken: false, busyMs: 0, stop: () => server.close(1000) };
  let engine: Promise<unknown> = Promise.resolve();
  const handlers = {
    async synthesize({ text, language }: { text: string; language: string }) {
      if (speech.broken) throw new Unavailable('no voice');
      speech.said.push({ text, language });
      if (speech.busyMs > 0) await (engine = engine.then(() => sleep(speech.busyMs)));
      return { audio: aWav(2 * text.length, 7), contentType: 'audio/wav', durationMs: text.length, engine: 'test' };
    },
  };
  // The service has more methods than prompts need; asking for one of those would be a mistake.
  server.add(SpeechService, services('numbers-routing'), handlers as never);
  await server.listen(address);
  return speech;
}
