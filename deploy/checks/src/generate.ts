// Writes again what is made from declarations: the code of the contracts and the description of the public API.
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { publicApiDocument } from '@parley/gateway';
import { generateCode } from './generated-code.ts';
import { root } from './root.ts';

const { ok, output } = await generateCode(path.join(root, 'proto'));
if (!ok) throw new Error(output);
await writeFile(path.join(root, 'services/gateway/openapi.json'), `${JSON.stringify(publicApiDocument(), null, 2)}\n`);
