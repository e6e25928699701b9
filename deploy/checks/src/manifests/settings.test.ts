import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { newSecrets } from '../../../images/new-secrets.ts';
import { composeEnv } from '../../../images/secret-formats.ts';
import { parseCompose } from './compose-problems.ts';
import { ofKind } from './manifest.ts';
import { itWithHelm, render, root, reportSkippedChecks } from './rendered-chart.ts';
import { readServiceFacts } from './service-facts.ts';
import { composeEnvironment, deploymentEnvironment, parseEnvFile } from './settings.ts';

reportSkippedChecks("that each service accepts the chart's settings");

interface Schema {
  safeParse(env: Record<string, string>): {
    success: boolean;
    error?: { issues: { path: PropertyKey[]; message: string }[] };
  };
}

/** The problems of a service's settings; an empty variable counts as absent, as at its start. */
async function refusals(service: string, env: Record<string, string>): Promise<string[]> {
  const { config } = (await import(path.join(root, 'services', service, 'src/config.ts'))) as { config: Schema };
  const { error } = config.safeParse(Object.fromEntries(Object.entries(env).filter(([, value]) => value !== '')));
  return (error?.issues ?? []).map((issue) => `${service} ${issue.path.join('.')}: ${issue.message}`);
}

const services = Object.keys(readServiceFacts(root));

describe.each(services)('%s', (service) => {
  it.each([false, true])(
    'a service accepts the settings of docker-compose.yml with fresh secrets (sandbox: %s)',
    async (sandbox) => {
      const compose = parseCompose(readFileSync(path.join(root, 'docker-compose.yml'), 'utf8'));
      const env = composeEnvironment(compose, service, parseEnvFile(composeEnv(newSecrets(), { sandbox })));
      expect(await refusals(service, env)).toEqual([]);
      if (env['TEST_CLOCK']) expect(env['TEST_CLOCK']).toBe(sandbox ? 'on' : 'off');
    },
  );

  itWithHelm('a service accepts the settings of the chart', async () => {
    const objects = await render('sandbox.yaml');
    const deployment = ofKind(objects, 'Deployment').find(({ metadata }) => metadata?.name === `parley-${service}`);
    expect(deployment).toBeDefined();
    expect(deployment && (await refusals(service, deploymentEnvironment(deployment, objects)))).toEqual([]);
  });

  it('a service would refuse to start without any settings', async () => {
    expect(await refusals(service, {})).not.toEqual([]);
  });
});
