import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { readEdgeSettings } from './edge-settings.ts';
import { renderEdge, writeEdge } from './render-edge.ts';

const required = { EDGE_IP: '10.0.0.4', EDGE_SWITCHES: '10.0.0.5' };
const everything = {
  ...required,
  EDGE_SWITCHES: '10.0.0.5, 10.0.0.6:5160:5180',
  EXTERNAL_IP: '192.0.2.7',
  SIP_DOMAIN: 'phones.example.com',
  CARRIER_NETWORKS: '203.0.113.0/24,198.51.100.9',
  WEBSOCKET_PORT: '5066',
  TLS_CERT_FILE: '/etc/tls/tls.crt',
  TLS_KEY_FILE: '/etc/tls/tls.key',
};
const rendered = (env: Record<string, string>) => renderEdge(readEdgeSettings(env), '/etc/kamailio');
const configuration = (env: Record<string, string>) => rendered(env).get('kamailio.cfg') ?? '';

describe('the configuration of the edge proxy', () => {
  it('lists each switch for phones and for carriers', () => {
    expect(rendered(everything).get('dispatcher.list')).toBe(
      '1 sip:10.0.0.5:5060\n1 sip:10.0.0.6:5160\n2 sip:10.0.0.5:5080\n2 sip:10.0.0.6:5180\n',
    );
  });

  it('takes calls of carriers from their networks only, and of nobody where there are none', () => {
    const condition = 'is_in_subnet("$si", "203.0.113.0/24") || is_in_subnet("$si", "198.51.100.9/32")';
    expect(configuration(everything)).toContain(`if (!(${condition})) {\n        sl_send_reply("403", "Forbidden");`);
    expect(configuration(required)).toContain('if (!(1 == 0)) {\n        sl_send_reply("403", "Forbidden");');
  });

  it('calls phones for switches only', () => {
    expect(configuration(everything)).toContain(
      'if ($si == "10.0.0.5" || $si == "10.0.0.6") {\n        route(TO_PHONE);',
    );
  });

  it('passes what claims to belong to a call on to switches only', () => {
    expect(configuration(everything)).toContain(
      'if ($du != $null || !($rd == "10.0.0.5" || $rd == "10.0.0.6")) {\n        sl_send_reply("403", "Forbidden");',
    );
  });

  it('refuses contacts by which a phone would lead calls elsewhere', () => {
    expect(configuration(everything)).toContain(
      'if ($hdrc(Contact) > 1 || (is_present_hf("Contact") && $hdr(Contact) =~ "alias=")) {\n        sl_send_reply("400", "Bad Contact");',
    );
  });

  it('has TLS where it has a port for browsers, and names the address that the outside sees', () => {
    expect(configuration(everything)).toMatch(/^listen=tls:10\.0\.0\.4:7443$/m);
    expect(configuration(everything)).toMatch(/^listen=udp:10\.0\.0\.4:5060 advertise 192\.0\.2\.7:5060$/m);
    const without = configuration({ ...required, SECURE_WEBSOCKET_PORT: 'off' });
    expect(without).not.toMatch(/tls/i);
    expect(without).toMatch(/^listen=udp:10\.0\.0\.4:5060$/m);
  });

  it.each([
    [{ EDGE_IP: 'edge.example.com' }, 'EDGE_IP must be an IPv4 address'],
    [{ EDGE_SWITCHES: '' }, 'EDGE_SWITCHES must be addresses of switches'],
    [{ EDGE_SWITCHES: '10.0.0.5:5060' }, 'EDGE_SWITCHES must be addresses of switches'],
    [{ EDGE_SWITCHES: '10.0.0.5" || "1' }, 'EDGE_SWITCHES must be addresses of switches'],
    [{ CARRIER_NETWORKS: '") || (1' }, 'CARRIER_NETWORKS must be networks'],
    [{ TLS_KEY_FILE: '/etc/"x' }, 'TLS_KEY_FILE must be an absolute path'],
  ])('is not written with %j', (change, problem) => {
    expect(() => readEdgeSettings({ ...required, ...change })).toThrow(problem);
  });
});

/** Debian's, where it is installed. */
const KAMAILIO = '/usr/sbin/kamailio';

(existsSync(KAMAILIO) ? it : it.skip)('Kamailio reads the configuration', () => {
  const directory = mkdtempSync(path.join(tmpdir(), 'parley-edge-'));
  try {
    const local = {
      EDGE_IP: '127.0.0.1',
      EDGE_SWITCHES: '127.0.0.2',
      SECURE_WEBSOCKET_PORT: 'off',
      WEBSOCKET_PORT: '5066',
    };
    writeEdge(readEdgeSettings({ ...local, CARRIER_NETWORKS: '127.0.0.1' }), directory);
    const { status = 0, output } = run(['-c', '-f', path.join(directory, 'kamailio.cfg')]);
    expect({ status, output }).toMatchObject({ status: 0, output: expect.stringContaining('config file ok') });
  } finally {
    rmSync(directory, { recursive: true });
  }
});

function run(args: readonly string[]): { status?: number; output: string } {
  try {
    return { output: execFileSync('sh', ['-c', `${KAMAILIO} ${args.join(' ')} 2>&1`], { encoding: 'utf8' }) };
  } catch (error) {
    const { status, stdout } = error as { status: number; stdout: string };
    return { status, output: stdout };
  }
}
