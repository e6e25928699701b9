import { logs, metrics, trace } from '@opentelemetry/api';
import { NodeSDK } from '@opentelemetry/sdk-node';
import { type OpenProviders, SCOPE } from './providers.ts';

/**
 * Used by a process with a single service: the providers are global, so instrumentations that an operator preloads report through
 * them. Imported only where a collector is configured, because it loads all exporters.
 */
export const openNodeSdk: OpenProviders = (parts) => {
  const sdk = new NodeSDK({ ...parts, autoDetectResources: false, textMapPropagator: null });
  sdk.start();
  return {
    tracer: trace.getTracer(SCOPE),
    meter: metrics.getMeter(SCOPE),
    logger: parts.logRecordProcessors.length > 0 ? logs.getLogger(SCOPE) : undefined,
    shutdown: () => sdk.shutdown(),
  };
};
