import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fillTemplate } from '@parley/freeswitch';
import type { EdgeSettings } from './edge-settings.ts';

const TEMPLATE = path.join(import.meta.dirname, '../conf/kamailio.cfg');
/** The sets of the dispatcher, as the template names them. */
const [PHONES, CARRIERS] = [1, 2];

/** Every file of the configuration, by its name. `directory`: where the proxy finds them. */
export function renderEdge(settings: EdgeSettings, directory: string): ReadonlyMap<string, string> {
  const template = readFileSync(TEMPLATE, 'utf8');
  return new Map([
    ['kamailio.cfg', fillTemplate(template, valuesOf(settings, directory), (text) => text)],
    ['dispatcher.list', dispatcherList(settings)],
  ]);
}

export function writeEdge(settings: EdgeSettings, directory: string): void {
  mkdirSync(directory, { recursive: true });
  for (const [name, content] of renderEdge(settings, directory)) writeFileSync(path.join(directory, name), content);
}

function dispatcherList({ switches }: EdgeSettings): string {
  const lines = switches.flatMap(({ host, phonesPort, carriersPort }) => [
    `${PHONES} sip:${host}:${phonesPort}`,
    `${CARRIERS} sip:${host}:${carriersPort}`,
  ]);
  return `${lines.sort().join('\n')}\n`;
}

function valuesOf(settings: EdgeSettings, directory: string): Record<string, string> {
  const { externalIp, websocketPort, secureWebsocketPort, switches, carrierNetworks } = settings;
  const plain = Object.entries(settings).filter(([, value]) => ['string', 'number'].includes(typeof value));
  const websockets = [websocketPort, secureWebsocketPort].filter((one) => one !== undefined);
  const advertise = (port: number) => (externalIp === undefined ? '' : ` advertise ${externalIp}:${port}`);
  return {
    ...Object.fromEntries(plain.map(([name, value]) => [name, String(value)])),
    directory,
    advertisePhones: advertise(settings.phonesPort),
    advertiseCarriers: advertise(settings.carriersPort),
    fromSwitch: anyOf(switches.map(({ host }) => `$si == "${host}"`)),
    toSwitch: anyOf(switches.map(({ host }) => `$rd == "${host}"`)),
    fromCarrier: anyOf(carrierNetworks.map((network) => `is_in_subnet("$si", "${network}")`)),
    fromWebsocket: anyOf(websockets.map((port) => `$Rp == ${port}`)),
  };
}

/** A condition in the language of the configuration. */
function anyOf(conditions: readonly string[]): string {
  return conditions.length === 0 ? '(1 == 0)' : `(${[...new Set(conditions)].join(' || ')})`;
}
