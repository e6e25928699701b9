// Before `npm pack`: makes the folder what is published; `postpack.ts` undoes it.
import { existsSync } from 'node:fs';
import { copyFile, readFile } from 'node:fs/promises';
import { MANIFEST, SAVED_MANIFEST, cli, writePublishable } from './publishable.ts';

// It is there already when packing was interrupted.
if (!existsSync(SAVED_MANIFEST)) await copyFile(MANIFEST, SAVED_MANIFEST);
await writePublishable(cli, await readFile(SAVED_MANIFEST, 'utf8'));
