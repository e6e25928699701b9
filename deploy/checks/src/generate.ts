// Regenerates everything that is generated from declarations: the code of the contracts, the OpenAPI document, the
// dashboard's types of the API and its icons, the users of NATS.
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { generateCode } from './generated-code.ts';
import { root } from './root.ts';

const { ok, output } = await generateCode(path.join(root, 'proto'));
if (!ok) throw new Error(output);
// Loaded after the code of the contracts is there: the services import it, also that of a contract which is new.
const { apiTypes } = await import('@parley/dashboard/api-types');
const { iconComponents } = await import('@parley/dashboard/lucide-icons');
const { accountApiDocument, publicApiDocument } = await import('@parley/gateway');
const { natsConfigurationFiles } = await import('./nats-configuration.ts');
const document = publicApiDocument();
await writeFile(path.join(root, 'services/gateway/openapi.json'), `${JSON.stringify(document, null, 2)}\n`);
await writeFile(path.join(root, 'services/gateway/dashboard/app/api/schema.d.ts'), await apiTypes(document));
await writeFile(
  path.join(root, 'services/gateway/dashboard/app/api/account-schema.d.ts'),
  await apiTypes(accountApiDocument()),
);
await writeFile(path.join(root, 'services/gateway/dashboard/app/ui/icons/lucide.tsx'), await iconComponents());
for (const [file, text] of Object.entries(natsConfigurationFiles())) await writeFile(path.join(root, file), text);
