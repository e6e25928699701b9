import { SpeechService } from '@parley/proto/speech/v1/speech_pb';
import { createRpcServer, createVerifier, services, Unavailable } from '@parley/rpc';
import type { Telemetry } from '@parley/telemetry';
import { aWav } from './a-wav.ts';

/** A speech service that hums: as many samples as the text has characters. */
export interface TestSpeech {
  /** What it was asked to say. */
  readonly said: { text: string; language: string }[];
  /** While true it says nothing. */
  broken: boolean;
  stop(): Promise<void>;
}

export async function startTestSpeech(
  address: string,
  trusted: Record<string, string>,
  telemetry: Telemetry,
): Promise<TestSpeech> {
  const server = createRpcServer({ telemetry, verify: createVerifier(trusted), ready: async () => true });
  const speech: TestSpeech = { said: [], broken: false, stop: () => server.close(1000) };
  const handlers = {
    async synthesize({ text, language }: { text: string; language: string }) {
      if (speech.broken) throw new Unavailable('no voice');
      speech.said.push({ text, language });
      return { audio: aWav(2 * text.length, 7), contentType: 'audio/wav', durationMs: text.length, engine: 'test' };
    },
  };
  // The service has more methods than prompts need; asking for one of those would be a mistake.
  server.add(SpeechService, services('numbers-routing'), handlers as never);
  await server.listen(address);
  return speech;
}
