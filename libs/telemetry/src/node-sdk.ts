import { metrics, trace } from '@opentelemetry/api';
import { NodeSDK } from '@opentelemetry/sdk-node';
import { type OpenProviders, SCOPE } from './providers.ts';

/**
 * For a process that is one service: the providers are global, so instrumentations that an operator preloads report
 * through them. Imported only where a collector is configured, because it loads every exporter there is.
 */
export const openNodeSdk: OpenProviders = (parts) => {
  const sdk = new NodeSDK({ ...parts, autoDetectResources: false, logRecordProcessors: [], textMapPropagator: null });
  sdk.start();
  return { tracer: trace.getTracer(SCOPE), meter: metrics.getMeter(SCOPE), shutdown: () => sdk.shutdown() };
};
