// Regenerates everything that is generated from declarations: the code of the contracts, the OpenAPI and AsyncAPI documents, the
// dashboard's types of the API and its icons, the methods and types of the clients, the users of NATS, the values in the
// README of the chart, Grafana's dashboards and Prometheus's rules.
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { generateCode } from './generated-code.ts';
import { root } from './root.ts';
import { CHART_README, readmeWithValues } from './values-reference.ts';

const { ok, output } = await generateCode(path.join(root, 'proto'));
if (!ok) throw new Error(output);
// Loaded after the code of the contracts is there: the services import it, also that of a contract which is new.
const { apiTypes } = await import('@parley/dashboard/api-types');
const { iconComponents } = await import('@parley/dashboard/lucide-icons');
const { accountApiDocument, publicApiDocument, publicAsyncApiDocument } = await import('@parley/gateway');
const { observabilityFiles } = await import('@parley/observability');
const { sdkFiles } = await import('@parley/sdk/generator');
const { pythonModels, pythonSdkFiles } = await import('@parley/python-sdk/generator');
const { natsConfigurationFiles } = await import('./nats-configuration.ts');
const document = publicApiDocument();
for (const [name, content] of Object.entries({ openapi: document, asyncapi: publicAsyncApiDocument() }))
  await writeFile(path.join(root, `services/gateway/${name}.json`), `${JSON.stringify(content, null, 2)}\n`);
await writeFile(path.join(root, 'services/gateway/dashboard/app/api/schema.d.ts'), await apiTypes(document));
await writeFile(
  path.join(root, 'services/gateway/dashboard/app/api/account-schema.d.ts'),
  await apiTypes(accountApiDocument()),
);
await writeFile(path.join(root, 'services/gateway/dashboard/app/ui/icons/lucide.tsx'), await iconComponents());
const files = {
  ...(await sdkFiles(document)),
  ...pythonSdkFiles(document),
  ...natsConfigurationFiles(),
  ...(await observabilityFiles()),
};
for (const [file, text] of Object.entries(files)) {
  await mkdir(path.dirname(path.join(root, file)), { recursive: true });
  await writeFile(path.join(root, file), text);
}
const models = await pythonModels(document);
if ('unavailable' in models) process.stderr.write(`left out: the models of the Python client: ${models.unavailable}\n`);
else await writeFile(path.join(root, models.file), models.text);
await writeFile(path.join(root, CHART_README), readmeWithValues());
