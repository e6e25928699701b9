import { createPrivateKey, createPublicKey } from 'node:crypto';
import path from 'node:path';
import type { V1NetworkPolicyPeer } from '@kubernetes/client-node';
import { describe, expect } from '@jest/globals';
import { type Manifest, ofKind } from './manifest.ts';
import { itWithHelm, render, reportSkippedChecks, root } from './rendered-chart.ts';
import { deploymentEnvironment } from './settings.ts';

reportSkippedChecks('how the chart connects the sandbox');

function environmentOf(service: string, objects: Manifest[]): Record<string, string> {
  const deployment = ofKind(objects, 'Deployment').find(({ metadata }) => metadata?.name === `parley-${service}`);
  return deployment ? deploymentEnvironment(deployment, objects) : {};
}

/** The components that may connect to a port of a service. */
function letIn(service: string, port: number, objects: Manifest[]): (string | undefined)[] {
  const policy = ofKind(objects, 'NetworkPolicy').find(({ metadata }) => metadata?.name === `parley-${service}`);
  const rules = (policy?.spec?.ingress ?? []) as { ports?: { port: number }[]; from?: V1NetworkPolicyPeer[] }[];
  return rules
    .filter(({ ports }) => ports?.some((one) => one.port === port))
    .flatMap(({ from }) => from?.map((peer) => peer.podSelector?.matchLabels?.['app.kubernetes.io/component']));
}

describe('the chart with the sandbox', () => {
  itWithHelm('the chart with the sandbox has it as the switch, with the same secrets at both ends', async () => {
    const objects = await render('sandbox.yaml');
    const [sandbox, callControl] = [environmentOf('sandbox', objects), environmentOf('call-control', objects)];
    const [known] = JSON.parse(callControl['SWITCHES'] ?? '[]') as { name: string; url: string; secret: string }[];
    expect(known?.url).toBe(`esl://call-control:${sandbox['EVENT_SOCKET_PASSWORD']}@parley-sandbox:8021`);
    expect(sandbox['SWITCH_HTTP_CREDENTIALS']).toBe(`sandbox:${known?.secret}`);
    expect(sandbox['SWITCH_HTTP_URL']).toBe(callControl['SWITCH_HTTP_URL']);
    for (const [service, environment] of Object.entries({ sandbox, 'call-control': callControl })) {
      const { config } = (await import(path.join(root, `services/${service}/src/config.ts`))) as {
        config: { safeParse(env: object): { error?: unknown } };
      };
      expect(config.safeParse(environment).error).toBeUndefined();
    }
  });

  itWithHelm('the chart with the sandbox lets it alone in where switches are let in', async () => {
    const objects = await render('sandbox.yaml');
    expect(letIn('call-control', 8083, objects)).toEqual(['sandbox']);
    expect(letIn('assistant', 5070, objects)).toEqual(['sandbox']);
    expect(letIn('sandbox', 8021, objects)).toEqual(['call-control']);
  });

  itWithHelm('the chart with the sandbox has it as the provider of texts, whose reports can be verified', async () => {
    const objects = await render('sandbox.yaml');
    const key = environmentOf('sandbox', objects)['TELNYX_SIGNING_KEY'] ?? '';
    const signing = createPrivateKey({ key: Buffer.from(key, 'base64'), format: 'der', type: 'pkcs8' });
    const { x } = createPublicKey(signing).export({ format: 'jwk' });
    const texts = environmentOf('messaging-inbox', objects);
    expect(Buffer.from(texts['TELNYX_PUBLIC_KEY'] ?? '', 'base64').toString('base64url')).toBe(x);
    expect(texts['TELNYX_API_URL']).toBe('http://parley-sandbox:8082');
    const reportedTo = new URL(environmentOf('sandbox', objects)['PUBLIC_URL'] ?? '').hostname;
    expect(environmentOf('gateway', objects)['PUBLIC_HOSTS']?.split(',')).toContain(reportedTo);
  });

  itWithHelm('the chart with the sandbox leaves calls and texts to what the values name', async () => {
    const real = [
      '--set-json',
      'telephony={"switches":[{"name":"a","url":"esl://a:b@192.0.2.5:8021","secret":"0123456789abcdef"}],"switchesFrom":[{"ipBlock":{"cidr":"192.0.2.5/32"}}]}',
      '--set',
      'services.messaging-inbox.secretEnv.TELNYX_API_KEY=own',
    ];
    const objects = await render('sandbox.yaml', ...real);
    expect(JSON.parse(environmentOf('call-control', objects)['SWITCHES'] ?? '[]')).toEqual([
      { name: 'a', url: 'esl://a:b@192.0.2.5:8021', secret: '0123456789abcdef' },
    ]);
    expect(environmentOf('sandbox', objects)['EVENT_SOCKET_LISTEN']).toBeUndefined();
    expect(environmentOf('messaging-inbox', objects)).toMatchObject({ TELNYX_API_KEY: 'own' });
    expect(environmentOf('messaging-inbox', objects)['TELNYX_API_URL']).toBeUndefined();
  });
});
