import { type Lifecycle, openRuntime, serveGrpc } from '@parley/service';
import type { Config } from './config.ts';
import { openEngines } from './engines.ts';
import { openPartStore } from './parts/part-store.ts';
import { prefetch } from './parts/prefetch.ts';
import { createConductor } from './requests/request-queue.ts';
import { noFaults, sandboxFaults } from './requests/sandbox-faults.ts';
import { addSpeechService } from './speech-service.ts';

export const SERVICE = 'speech';

/** Stateless: no database and no events; the heavy native parts live here and nowhere else. */
export async function start(config: Config, lifecycle: Lifecycle): Promise<void> {
  const runtime = await openRuntime(SERVICE, config, lifecycle);
  const { telemetry } = runtime;
  const { log } = telemetry;

  const parts = openPartStore({ folder: config.MODELS_DIR, log });
  lifecycle.defer('parts', () => parts.stop());
  const engines = openEngines({ config, parts, telemetry });
  lifecycle.defer('engines', () => engines.stop());

  const faults = config.SANDBOX_URL === undefined ? noFaults : sandboxFaults(config.SANDBOX_URL);
  const requestQueue = (task: string, inHandMax: number, limitSecs: number) =>
    createConductor({ task, inHandMax, limitMs: limitSecs * 1000, faults, log });
  const conductors = {
    synthesis: requestQueue('speaking', config.SYNTHESES_MAX, config.SYNTHESIS_LIMIT_SECS),
    transcription: requestQueue('listening', config.TRANSCRIPTIONS_MAX, config.TRANSCRIPTION_LIMIT_SECS),
    summary: requestQueue('summarising', config.SUMMARIES_MAX, config.SUMMARY_LIMIT_SECS),
    embedding: requestQueue('embedding', config.EMBEDDINGS_MAX, config.EMBEDDING_LIMIT_SECS),
  };

  await serveGrpc(runtime, config, (server) => addSpeechService(server, { ...engines, conductors }));
  if (config.MODELS_FETCH === 'at_start')
    prefetch(engines.parts, parts, log).catch((error: unknown) => log.warn({ err: error }, 'prefetch failed'));
}
