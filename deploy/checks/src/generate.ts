// Regenerates everything that is generated from declarations: the code of the contracts, the OpenAPI document, the
// users of NATS.
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { publicApiDocument } from '@parley/gateway';
import { generateCode } from './generated-code.ts';
import { natsConfigurationFiles } from './nats-configuration.ts';
import { root } from './root.ts';

const { ok, output } = await generateCode(path.join(root, 'proto'));
if (!ok) throw new Error(output);
await writeFile(path.join(root, 'services/gateway/openapi.json'), `${JSON.stringify(publicApiDocument(), null, 2)}\n`);
for (const [file, text] of Object.entries(natsConfigurationFiles())) await writeFile(path.join(root, file), text);
