import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { readSwitchSettings } from '../../../freeswitch/src/switch-settings.ts';
import { newSecrets } from '../../../images/new-secrets.ts';
import { composeEnv } from '../../../images/secret-formats.ts';
import { parseCompose } from './compose-problems.ts';
import { type Manifest, ofKind } from './manifest.ts';
import { itWithHelm, render, root, reportSkippedChecks } from './rendered-chart.ts';
import { composeEnvironment, deploymentEnvironment, parseEnvFile } from './settings.ts';

reportSkippedChecks('how the chart connects call-control and switches');

interface Switch {
  name: string;
  url: string;
  secret: string;
  trunk?: string;
}

/** The environment of a pod of the StatefulSet. */
function switchEnvironment(objects: Manifest[], pod: string): Record<string, string> {
  const named = ({ metadata }: { metadata?: { name?: string } }) => metadata?.name === 'parley-freeswitch';
  const secret = ofKind(objects, 'Secret').find(named)?.data ?? {};
  const opened = Object.entries(secret).map(([name, value]) => [name, Buffer.from(value, 'base64').toString()]);
  const config = ofKind(objects, 'ConfigMap').find(named)?.data ?? {};
  return { ...config, ...Object.fromEntries(opened), SWITCH_NAME: pod, SWITCH_IP: '10.0.0.5' };
}

async function callControl(objects: Manifest[]): Promise<Record<string, string>> {
  const deployment = ofKind(objects, 'Deployment').find(({ metadata }) => metadata?.name === 'parley-call-control');
  return deployment ? deploymentEnvironment(deployment, objects) : {};
}

describe('the chart', () => {
  itWithHelm('the chart has no switch, and no ingress for one, by default', async () => {
    const objects = await render('defaults.yaml');
    expect(ofKind(objects, 'StatefulSet')).toEqual([]);
    const env = await callControl(objects);
    expect([env.SWITCHES, env.SWITCH_LISTEN]).toEqual([undefined, undefined]);
    expect(ofKind(objects, 'Service').map(({ metadata }) => metadata?.name)).not.toContain(
      'parley-call-control-switches',
    );
  });

  itWithHelm(
    'the chart configures call-control with every switch by name, and each switch with the same secrets',
    async () => {
      const objects = await render('switch.yaml');
      const env = await callControl(objects);
      const switches = JSON.parse(env.SWITCHES ?? '[]') as Switch[];
      expect(switches.map(({ name }) => name)).toEqual(['elsewhere', 'parley-freeswitch-0', 'parley-freeswitch-1']);
      for (const { name, url, secret, trunk } of switches.slice(1)) {
        const settings = readSwitchSettings(switchEnvironment(objects, name));
        expect(settings).toMatchObject({
          switchName: name,
          switchSecret: secret,
          callControlUrl: 'http://parley-call-control-switches:8083',
          sipDomain: env.SIP_DOMAIN,
          externalIp: '192.0.2.7',
          gateways: [{ name: 'acme' }],
          switchesPort: 5082,
          switchNetworks: ['10.0.0.0/8'],
        });
        expect(trunk).toBe(`${name}.parley-freeswitch:5082`);
        expect(url).toBe(`esl://call-control:${settings.eventSocketPassword}@${name}.parley-freeswitch:8021`);
      }
      expect(env).toMatchObject({
        SWITCH_LISTEN: '0.0.0.0:8083',
        SWITCH_HTTP_URL: 'http://parley-call-control-switches:8083',
        SIP_WEBSOCKET_URL: 'wss://switch.example.com:7443',
      });
      const { config } = (await import(path.join(root, 'services/call-control/src/config.ts'))) as {
        config: { safeParse(env: object): { error?: unknown } };
      };
      expect(config.safeParse(env).error).toBeUndefined();
    },
  );

  itWithHelm(
    'the chart opens the port for switches only to those that are named, and is not rendered without them',
    async () => {
      const policy = ofKind(await render('switch.yaml'), 'NetworkPolicy').find(
        ({ metadata }) => metadata?.name === 'parley-call-control',
      );
      const rules = (policy?.spec?.ingress ?? []) as { ports?: { port: number }[]; from?: unknown[] }[];
      const opened = rules.filter(({ ports }) => ports?.some(({ port }) => port === 8083));
      expect(opened.map(({ from }) => from)).toEqual([[{ ipBlock: { cidr: '10.0.0.0/8' } }]]);
      const missing = /telephony\.switchesFrom is required/;
      await expect(render('switch.yaml', '--set-json', 'telephony.switchesFrom=[]')).rejects.toThrow(missing);
      const elsewhere =
        'telephony.switches=[{"name":"a","url":"esl://a:b@192.0.2.5:8021","secret":"0123456789abcdef"}]';
      await expect(render('defaults.yaml', '--set-json', elsewhere)).rejects.toThrow(missing);
    },
  );

  itWithHelm(
    'the chart lets only switches call the pods that hold sessions of assistants, by their own addresses',
    async () => {
      const manifests = await render('switch.yaml');
      const policy = ofKind(manifests, 'NetworkPolicy').find(({ metadata }) => metadata?.name === 'parley-assistant');
      const rules = (policy?.spec?.ingress ?? []) as { ports?: object[]; from?: unknown[] }[];
      const opened = rules.find(({ ports }) => JSON.stringify(ports).includes('5070'));
      expect(opened).toEqual({
        ports: [
          { protocol: 'TCP', port: 5070 },
          { protocol: 'UDP', port: 20000, endPort: 20999 },
        ],
        from: [{ ipBlock: { cidr: '10.0.0.0/8' } }],
      });
      const settings = ofKind(manifests, 'ConfigMap').find(({ metadata }) => metadata?.name === 'parley-assistant');
      expect(settings?.data).toMatchObject({
        ASSISTANT_SIP_LISTEN: '0.0.0.0:5070',
        ASSISTANT_RTP_PORTS: '20000-20999',
        ASSISTANT_SWITCH_NETWORKS: '10.0.0.0/8',
      });
      const pod = JSON.stringify(
        ofKind(manifests, 'Deployment').find(({ metadata }) => metadata?.name === 'parley-assistant'),
      );
      expect(pod).toContain('{"name":"ASSISTANT_MEDIA_ADDRESS","valueFrom":{"fieldRef":{"fieldPath":"status.podIP"}}}');
    },
  );

  itWithHelm(
    'the chart runs switches without privileges, in the network of the node, and restarts none by itself',
    async () => {
      const [set] = ofKind(await render('switch.yaml'), 'StatefulSet');
      const pod = set?.spec?.template.spec;
      expect(pod).toMatchObject({
        hostNetwork: true,
        dnsPolicy: 'ClusterFirstWithHostNet',
        automountServiceAccountToken: false,
        securityContext: { runAsNonRoot: true, runAsUser: 10001, seccompProfile: { type: 'RuntimeDefault' } },
        containers: [
          {
            securityContext: {
              allowPrivilegeEscalation: false,
              readOnlyRootFilesystem: true,
              capabilities: { drop: ['ALL'] },
            },
          },
        ],
      });
      expect(set?.spec?.updateStrategy?.type).toBe('OnDelete');
      expect(set?.spec?.volumeClaimTemplates).toHaveLength(1);
    },
  );
});

describe('docker-compose.yml with the profile `switch`', () => {
  const compose = parseCompose(readFileSync(path.join(root, 'docker-compose.yml'), 'utf8'));
  const env = parseEnvFile(composeEnv(newSecrets(), { freeswitch: true }));

  it('docker-compose.yml with the profile `switch` gives the switch and call-control the same secrets', () => {
    const settings = readSwitchSettings(composeEnvironment(compose, 'freeswitch', env));
    const [known] = JSON.parse(composeEnvironment(compose, 'call-control', env)['SWITCHES'] ?? '[]') as Switch[];
    expect(known).toEqual({
      name: settings.switchName,
      url: `esl://call-control:${settings.eventSocketPassword}@freeswitch:8021`,
      secret: settings.switchSecret,
    });
    expect(settings.callControlUrl).toBe(
      compose.services['call-control']?.environment?.['SWITCH_HTTP_URL']?.match(/http:[^}]*/)?.[0],
    );
  });

  it('docker-compose.yml with the profile `switch` publishes the ports the switch uses', () => {
    const settings = readSwitchSettings(composeEnvironment(compose, 'freeswitch', env));
    const ports = compose.services['freeswitch']?.ports ?? [];
    expect(ports).toContain(`${settings.phonesPort}:${settings.phonesPort}/udp`);
    expect(ports).toContain(`${settings.carriersPort}:${settings.carriersPort}/udp`);
    const media = `${settings.rtpPortFirst}-${settings.rtpPortLast}`;
    expect(ports).toContain(`${media}:${media}/udp`);
    expect(ports.some((port) => port.includes('8021'))).toBe(false);
  });
});
