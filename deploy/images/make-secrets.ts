// Makes the secrets of an installation, each once:
//   node deploy/images/make-secrets.ts compose [--sandbox | --switch]    writes deploy/images/compose.env for docker-compose.yml
//   node deploy/images/make-secrets.ts kubernetes [NAME]      prints a Secret per service and the chart's trustedKeys
import { existsSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { newSecrets } from './new-secrets.ts';
import { composeEnv, kubernetesSecrets } from './secret-formats.ts';

const [format, argument] = process.argv.slice(2);
if (format === 'compose') {
  const file = fileURLToPath(new URL('compose.env', import.meta.url));
  // New keys would lock out the databases that the old ones opened.
  if (existsSync(file))
    fail('deploy/images/compose.env is there already; its secrets belong to the data in the volumes');
  writeFileSync(
    file,
    composeEnv(newSecrets(), { sandbox: argument === '--sandbox', freeswitch: argument === '--switch' }),
    { mode: 0o600 },
  );
} else if (format === 'kubernetes') {
  process.stdout.write(kubernetesSecrets(newSecrets(), argument ?? 'parley'));
} else {
  fail('usage: make-secrets.ts compose [--sandbox | --switch], or kubernetes [NAME]');
}

function fail(text: string): never {
  console.error(`make-secrets: ${text}`);
  process.exit(1);
}
