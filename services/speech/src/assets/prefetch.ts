import type { Logger } from '@parley/telemetry';
import type { Asset } from './asset.ts';
import type { AssetStore } from './asset-store.ts';

/** Fetches what is missing, one asset after the other; a failure is logged and left to the first request. */
export async function prefetch(assets: readonly Asset[], store: AssetStore, log: Pick<Logger, 'warn'>): Promise<void> {
  for (const asset of assets) {
    try {
      await store.prefetch(asset);
    } catch (error) {
      log.warn({ err: error, asset: asset.name }, 'an asset could not be fetched ahead');
      return;
    }
  }
}
