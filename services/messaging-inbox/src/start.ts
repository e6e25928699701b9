import { startRelay } from '@parley/outbox';
import { type Lifecycle, openRuntime, openBroker, openDatabase, serveGrpc } from '@parley/service';
import type { Config } from './config.ts';

export const SERVICE = 'messaging-inbox';

export async function start(config: Config, lifecycle: Lifecycle): Promise<void> {
  const runtime = await openRuntime(SERVICE, config, lifecycle);
  const { backgroundWork, telemetry } = runtime;
  const db = await openDatabase(runtime, config);
  const broker = await openBroker(runtime, config);
  const relay = await startRelay({ service: SERVICE, db, broker, backgroundWork, telemetry });
  lifecycle.defer('relay', () => relay.stop());

  await serveGrpc(runtime, config, () => {});
}
