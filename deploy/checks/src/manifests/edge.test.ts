import { describe, expect, it } from '@jest/globals';
import { readEdgeSettings } from '../../../edge/src/edge-settings.ts';
import { ofKind, type Manifest } from './manifest.ts';
import { itWithHelm, render, reportSkippedChecks } from './rendered-chart.ts';
import { deploymentEnvironment } from './settings.ts';

reportSkippedChecks('how the chart puts a proxy and a TURN server in front of switches');

const daemons = (objects: Manifest[]) => ofKind(objects, 'DaemonSet').map(({ metadata }) => metadata?.name);
/** The file in the Secret of the TURN server. */
const turnSettings = (objects: Manifest[]): string[] => {
  const secret = ofKind(objects, 'Secret').find(({ metadata }) => metadata?.name === 'parley-turn');
  return String(secret?.stringData?.['turnserver.conf']).split('\n');
};

describe('the chart', () => {
  itWithHelm('the chart has neither a proxy nor a TURN server by default', async () => {
    const objects = await render('switch.yaml');
    expect(daemons(objects)).toEqual([]);
  });

  itWithHelm('the chart gives the proxy settings that it reads, with every switch', async () => {
    const objects = await render('edge.yaml');
    expect(daemons(objects)).toEqual(['parley-edge', 'parley-turn']);
    const config = ofKind(objects, 'ConfigMap').find(({ metadata }) => metadata?.name === 'parley-edge')?.data ?? {};
    expect(readEdgeSettings({ ...config, EDGE_IP: '10.0.0.4' })).toMatchObject({
      externalIp: '192.0.2.7',
      sipDomain: 'phones.example.com',
      secureWebsocketPort: 7443,
      tlsCertFile: '/etc/parley/tls/tls.crt',
      carrierNetworks: ['203.0.113.0/24'],
      switches: [
        { host: '10.0.0.5', phonesPort: 5060, carriersPort: 5080 },
        { host: '10.0.0.6', phonesPort: 5160, carriersPort: 5180 },
      ],
    });
  });

  itWithHelm(
    'the chart has call-control share a secret with the TURN server, which relays to the switches only',
    async () => {
      const objects = await render('edge.yaml');
      const callControl = ofKind(objects, 'Deployment').find(
        ({ metadata }) => metadata?.name === 'parley-call-control',
      );
      const env = callControl ? deploymentEnvironment(callControl, objects) : {};
      const [server] = JSON.parse(env.ICE_SERVERS ?? '[]') as { urls: string[]; secret: string }[];
      expect(server?.urls).toEqual([
        'turn:turn.example.com:3478?transport=udp',
        'turns:turn.example.com:5349?transport=tcp',
      ]);
      const settings = turnSettings(objects);
      expect(settings).toEqual(expect.arrayContaining([`static-auth-secret=${server?.secret}`, 'use-auth-secret']));
      expect(settings).toContain('denied-peer-ip=0.0.0.0-255.255.255.255');
      expect(settings.filter((line) => line.startsWith('allowed-peer-ip='))).toEqual([
        'allowed-peer-ip=10.0.0.5',
        'allowed-peer-ip=10.0.0.6',
      ]);
    },
  );

  itWithHelm('the chart lets the kernel start the program of coturn, whose file has a capability', async () => {
    const [turn] = ofKind(await render('edge.yaml'), 'DaemonSet').filter(
      ({ metadata }) => metadata?.name === 'parley-turn',
    );
    expect(turn?.spec?.template.spec?.containers[0]?.securityContext?.capabilities).toEqual({
      drop: ['ALL'],
      add: ['NET_BIND_SERVICE'],
    });
  });
});

it('the settings of the proxy are refused without switches', () => {
  expect(() => readEdgeSettings({ EDGE_IP: '10.0.0.4' })).toThrow('EDGE_SWITCHES');
});
