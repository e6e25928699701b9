import { generateKeyPairSync } from 'node:crypto';
import { SpeechService } from '@parley/proto/speech/v1/speech_pb';
import { connectRpc, createProver, type RpcClient } from '@parley/rpc';
import { startService } from '@parley/service';
import { startTelemetry } from '@parley/telemetry';
import { scratchDir } from '@parley/testkit';
import { service } from '../src/index.ts';

/** The speech service as it runs, with its real engines; they are fetched once into the cache of the checkout. */
export interface TestSpeech {
  /** To the service, as the service of that name. */
  as(peer: string): RpcClient<typeof SpeechService>;
  readonly speech: RpcClient<typeof SpeechService>;
  stop(): Promise<void>;
}

/** The first use on a machine fetches 220 MB; every later one takes seconds. */
export const TIME_LIMIT_MS = 300_000;

export async function startSpeech(settings: Record<string, string> = {}): Promise<TestSpeech> {
  await using started = new AsyncDisposableStack();
  const scratch = await scratchDir();
  started.defer(() => scratch.remove());
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const signingKey = privateKey.export({ type: 'pkcs8', format: 'der' }).toString('base64');
  const verifyKey = publicKey.export({ type: 'spki', format: 'der' }).toString('base64');
  const peers = ['numbers-routing', 'call-control', 'sandbox', 'directory'];
  const address = `unix:${scratch.path}/speech.sock`;
  const running = await startService(service, {
    LOG_LEVEL: 'silent',
    SIGNING_KEY: signingKey,
    TRUSTED_KEYS: JSON.stringify(Object.fromEntries(peers.map((peer) => [peer, verifyKey]))),
    GRPC_LISTEN: address,
    ...settings,
  });
  started.defer(() => running.stop());
  const telemetry = startTelemetry({ service: 'test', version: '0', logLevel: 'silent' });
  const owned = started.move();
  const as = (peer: string) => {
    const channel = connectRpc({ address, telemetry, prover: createProver(peer, signingKey) });
    owned.defer(() => channel.close());
    return channel.client(SpeechService);
  };
  return { as, speech: as('call-control'), stop: () => owned.disposeAsync() };
}
