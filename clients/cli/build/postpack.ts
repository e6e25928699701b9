// After `npm pack`: the folder is again what the repository has.
import { rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { MANIFEST, SAVED_MANIFEST, cli } from './publishable.ts';

await rename(SAVED_MANIFEST, MANIFEST);
for (const made of ['dist', 'LICENSE']) await rm(path.join(cli, made), { recursive: true });
