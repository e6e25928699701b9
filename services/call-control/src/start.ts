import { startRelay } from '@parley/outbox';
import { type Life, openBasis, openBroker, openDatabase, serveGrpc } from '@parley/service';
import type { Config } from './config.ts';

export const SERVICE = 'call-control';

export async function start(config: Config, life: Life): Promise<void> {
  const basis = await openBasis(SERVICE, config, life);
  const { activity, telemetry } = basis;
  const db = await openDatabase(basis, config);
  const broker = await openBroker(basis, config);
  const relay = await startRelay({ service: SERVICE, db, broker, activity, telemetry });
  life.defer('relay', () => relay.stop());

  await serveGrpc(basis, config, () => {});
}
