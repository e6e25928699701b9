import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fillTemplate } from './fill-template.ts';
import type { Gateway, SwitchSettings } from './switch-settings.ts';

const TEMPLATES = path.join(import.meta.dirname, '../conf');

/** Every file of the configuration, by its path below the configuration directory. */
export function renderConfiguration(settings: SwitchSettings): ReadonlyMap<string, string> {
  const values = valuesOf(settings);
  const files = readdirSync(TEMPLATES, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return new Map(
    files.map(({ parentPath, name }) => {
      const file = path.join(parentPath, name);
      return [path.relative(TEMPLATES, file), fillTemplate(readFileSync(file, 'utf8'), values, escape)];
    }),
  );
}

function valuesOf(settings: SwitchSettings): Record<string, string | readonly string[]> {
  const { switchName, switchSecret, callControlUrl, ip, externalIp, websocketPort, secureWebsocketPort } = settings;
  const plain = Object.entries(settings).filter(([, value]) => ['string', 'number'].includes(typeof value));
  return {
    ...Object.fromEntries(plain.map(([name, value]) => [name, String(value)])),
    switchCredentials: Buffer.from(`${switchName}:${switchSecret}`).toString('base64'),
    // Without the scheme: mod_http_cache compares host and port.
    callControlHost: callControlUrl.replace(/^https?:\/\//, ''),
    carrierNetworks: settings.carrierNetworks.map(allow),
    switchNetworks: settings.switchNetworks.map(allow),
    callControlNetworks: settings.callControlNetworks.map(allow),
    candidateNetworks: settings.candidateNetworks.map(allow),
    externalAddress: externalIp === undefined ? [] : [param('ext-sip-ip', externalIp), param('ext-rtp-ip', externalIp)],
    websocketBindings: [
      ...(websocketPort === undefined ? [] : [param('ws-binding', `${ip}:${websocketPort}`)]),
      ...(secureWebsocketPort === undefined ? [] : [param('wss-binding', `${ip}:${secureWebsocketPort}`)]),
    ],
    gateways: settings.gateways.flatMap(gatewayLines),
  };
}

const param = (name: string, value: string) => `<param name="${name}" value="${escape(value)}"/>`;
const allow = (network: string) => `<node type="allow" cidr="${escape(network)}"/>`;

function gatewayLines({ name, proxy, username, password, register }: Gateway): readonly string[] {
  return [
    `<gateway name="${escape(name)}">`,
    `  ${param('proxy', proxy)}`,
    `  ${param('username', username)}`,
    `  ${param('password', password)}`,
    `  ${param('register', String(register))}`,
    `  ${param('caller-id-in-from', 'true')}`,
    '</gateway>',
  ];
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

function escape(text: string): string {
  return text.replaceAll(/[&<>"]/g, (character) => ENTITIES[character]!);
}
