import { trackBackgroundWork } from '@parley/clock';
import { newId } from '@parley/secrets';
import { startTelemetry } from '@parley/telemetry';
import type { Relay } from '../src/relay/relay.ts';

/** A relay that publishes nothing, for tests of a store alone: events stay in their documents. */
export function idleRelay(): Relay {
  return {
    backgroundWork: trackBackgroundWork(),
    telemetry: startTelemetry({ service: 'test', version: '0', logLevel: 'silent' }),
    restoredAt: undefined,
    lease: () => ({ owner: newId('relay'), until: new Date() }),
    published: async () => undefined,
    watch: () => ({ publish: async () => 'failed' }),
    removal: { isPending: async () => false, fromLog: async () => undefined, fromStream: async () => undefined },
    stop: async () => undefined,
  };
}
