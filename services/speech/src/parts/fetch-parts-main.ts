import { createLog } from '@parley/telemetry';
import { dittliEnglish, dittliGerman, espeak, miniLm, native, whisperTiny } from './catalog.ts';
import { openPartStore } from './part-store.ts';

// Fills a folder with every part for this machine's platform, or verifies one that is filled:
//   node services/speech/src/parts/fetch-parts-main.ts <folder>
const [folder] = process.argv.slice(2);
const log = createLog({ service: 'speech', level: 'info' });
if (folder === undefined) throw new Error('say which folder to fill');
const store = openPartStore({ folder, log });
const parts = [dittliEnglish, dittliGerman, espeak, whisperTiny, miniLm, native.onnxRuntime, native.whisperAddon];
for (const part of parts) if (part) log.info({ part: part.name, folder: await store.ensure(part) }, 'is there');
