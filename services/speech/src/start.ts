import { type Lifecycle, openRuntime, serveGrpc } from '@parley/service';
import type { Config } from './config.ts';
import { openEngines } from './engines.ts';
import { openAssetStore } from './assets/asset-store.ts';
import { prefetch } from './assets/prefetch.ts';
import { createRequestQueue } from './requests/request-queue.ts';
import { noFaults, sandboxFaults } from './requests/sandbox-faults.ts';
import { addSpeechService, speechOptions } from './speech-rpcs.ts';

export const SERVICE = 'speech';

/** When the service stops, requests in flight have this long; those that take longer fail, and are repeated by whoever made them. */
const FINISH_MS = 2000;

/** Stateless: no database and no events; native engines run here and nowhere else. */
export async function start(config: Config, lifecycle: Lifecycle): Promise<void> {
  const runtime = await openRuntime(SERVICE, config, lifecycle);
  const { telemetry } = runtime;
  const { log } = telemetry;

  const assets = openAssetStore({ folder: config.MODELS_DIR, log });
  lifecycle.defer('assets', () => assets.stop());
  const engines = openEngines({ config, assets, telemetry });
  lifecycle.defer('engines', () => engines.stop());

  const faults = config.SANDBOX_URL === undefined ? noFaults : sandboxFaults(config.SANDBOX_URL);
  const requestQueue = (task: string, inProgressMax: number, limitSecs?: number) =>
    createRequestQueue({ task, inProgressMax, limitMs: limitSecs && limitSecs * 1000, faults, log });
  const queues = {
    synthesis: requestQueue('synthesis', config.SYNTHESES_MAX, config.SYNTHESIS_LIMIT_SECS),
    transcription: requestQueue('transcription', config.TRANSCRIPTIONS_MAX, config.TRANSCRIPTION_LIMIT_SECS),
    summary: requestQueue('summary', config.SUMMARIES_MAX, config.SUMMARY_LIMIT_SECS),
    embedding: requestQueue('embedding', config.EMBEDDINGS_MAX, config.EMBEDDING_LIMIT_SECS),
    listening: requestQueue('listening', config.LISTENING_MAX),
  };

  await serveGrpc(runtime, config, (server) => addSpeechService(server, engines, queues, speechOptions(config)));
  // Called before the server waits for its requests: a transcription would take longer than it waits, and leave its process behind.
  lifecycle.defer('long requests', () => void setTimeout(() => void engines.stop(), FINISH_MS));
  if (config.MODELS_FETCH === 'at_start')
    prefetch(engines.assets, assets, log).catch((error: unknown) => log.warn({ err: error }, 'prefetch failed'));
}
