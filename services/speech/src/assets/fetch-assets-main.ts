import { createLog } from '@parley/telemetry';
import { dittliEnglish, dittliGerman, espeak, miniLm, moonshineTiny, native, whisperTiny } from './catalog.ts';
import { openAssetStore } from './asset-store.ts';

// Fills a folder with every asset for this machine's platform, or verifies one that is filled:
//   node services/speech/src/assets/fetch-assets-main.ts <folder>
const [folder] = process.argv.slice(2);
const log = createLog({ service: 'speech', level: 'info' });
if (folder === undefined) throw new Error('usage: fetch-assets-main.ts <folder>');
const store = openAssetStore({ folder, log });
const models = [dittliEnglish, dittliGerman, espeak, moonshineTiny, whisperTiny, miniLm];
const assets = [...models, native.onnxRuntime, native.whisperAddon];
for (const asset of assets) if (asset) log.info({ asset: asset.name, folder: await store.ensure(asset) }, 'is there');
