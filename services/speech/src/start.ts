import { type Life, openBasis, serveGrpc } from '@parley/service';
import type { Config } from './config.ts';
import { openEngines } from './engines.ts';
import { openPartStore } from './parts/part-store.ts';
import { prefetch } from './parts/prefetch.ts';
import { createConductor } from './requests/conductor.ts';
import { noFaults, sandboxFaults } from './requests/sandbox-faults.ts';
import { addSpeechService } from './speech-service.ts';

export const SERVICE = 'speech';

/** Stateless: no database and no events; the heavy native parts live here and nowhere else. */
export async function start(config: Config, life: Life): Promise<void> {
  const basis = await openBasis(SERVICE, config, life);
  const { telemetry } = basis;
  const { log } = telemetry;

  const parts = openPartStore({ folder: config.MODELS_DIR, log });
  life.defer('parts', () => parts.stop());
  const engines = openEngines({ config, parts, telemetry });
  life.defer('engines', () => engines.stop());

  const faults = config.SANDBOX_URL === undefined ? noFaults : sandboxFaults(config.SANDBOX_URL);
  const conductor = (task: string, inHandMax: number, limitSecs: number) =>
    createConductor({ task, inHandMax, limitMs: limitSecs * 1000, faults, log });
  const conductors = {
    synthesis: conductor('speaking', config.SYNTHESES_MAX, config.SYNTHESIS_LIMIT_SECS),
    transcription: conductor('listening', config.TRANSCRIPTIONS_MAX, config.TRANSCRIPTION_LIMIT_SECS),
    summary: conductor('summarising', config.SUMMARIES_MAX, config.SUMMARY_LIMIT_SECS),
    embedding: conductor('embedding', config.EMBEDDINGS_MAX, config.EMBEDDING_LIMIT_SECS),
  };

  await serveGrpc(basis, config, (server) => addSpeechService(server, { ...engines, conductors }));
  if (config.MODELS_FETCH === 'at_start') void prefetch(engines.parts, parts, log);
}
