import { type Life, openBasis, serveGrpc } from '@parley/service';
import type { Config } from './config.ts';

export const SERVICE = 'speech';

/** Stateless: no database and no events; the heavy native parts live here and nowhere else. */
export async function start(config: Config, life: Life): Promise<void> {
  const basis = await openBasis(SERVICE, config, life);
  await serveGrpc(basis, config, () => {});
}
