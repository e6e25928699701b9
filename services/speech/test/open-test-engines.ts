import { startTelemetry } from '@parley/telemetry';
import { openAssetStore } from '../src/assets/asset-store.ts';
import { config } from '../src/config.ts';
import { type Engines, openEngines } from '../src/engines.ts';
import { type JobContext, PRIORITY } from '../src/workers/serve-jobs.ts';

/** The engines without the service around them, until `stop`. */
export function openTestEngines(settings: Record<string, string> = {}): Engines {
  const telemetry = startTelemetry({ service: 'test', version: '0', logLevel: 'silent' });
  const parsed = config.parse({
    GRPC_LISTEN: 'unix:/unused',
    SIGNING_KEY: 'A'.repeat(44),
    TRUSTED_KEYS: '{}',
    ...settings,
  });
  const assets = openAssetStore({ folder: parsed.MODELS_DIR, log: telemetry.log });
  const engines = openEngines({ config: parsed, assets, telemetry });
  return {
    ...engines,
    async stop() {
      await engines.stop();
      await assets.stop();
      await telemetry.stop();
    },
  };
}

/** The context of a job that nobody cancels. */
export const patient: JobContext = {
  signal: new AbortController().signal,
  companyId: '',
  priority: PRIORITY.background,
};
