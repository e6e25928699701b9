import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Channel } from '../channel.ts';
import { contactHeader, type Registration, registrationStatus } from '../registrations.ts';
import type { Switch } from '../switch.ts';
import { type ApiCommand, firstWord } from './command.ts';

const NOT_REGISTERED = 'error/user_not_registered';

/** Without rows there is no `rows` either, and a blank after the colon. */
function asRows(rows: readonly object[]): string {
  return rows.length === 0 ? '{"row_count": 0}\n' : JSON.stringify({ row_count: rows.length, rows });
}

const show: ApiCommand = (network, args) => {
  const [what, format] = firstWord(args.trim());
  if (format !== 'as json') return `-USAGE: show ${what} as json\n`;
  const channels = [...network.channels.values()];
  switch (what) {
    case 'channels':
      return asRows([...network.listed.values()].map((channel) => channelRow(channel)));
    case 'calls':
      return asRows(
        channels.filter(({ activity }) => activity?.name === 'bridge').map((channel) => channelRow(channel)),
      );
    case 'registrations':
      return asRows(network.registrations.list().map((registration) => registrationRow(registration)));
    default:
      return '-USAGE: show <item> as json\n';
  }
};

function channelRow(channel: Channel) {
  const created = new Date(channel.createdMicros / 1000);
  return {
    uuid: channel.uuid,
    direction: channel.direction,
    created: created.toISOString().slice(0, 19).replace('T', ' '),
    created_epoch: String(Math.floor(created.getTime() / 1000)),
    name: channel.name,
    state: channel.state,
    cid_name: channel.caller.name,
    cid_num: channel.caller.number,
    ip_addr: channel.direction === 'inbound' ? '127.0.0.1' : '',
    dest: channel.destination,
    application: channel.activity?.name === 'bridge' ? 'uuid_bridge' : (channel.activity?.name ?? ''),
    application_data: channel.activity?.name === 'bridge' ? (channel.variable('bridge_uuid') ?? '') : '',
    dialplan: channel.direction === 'inbound' ? 'XML' : '',
    context: channel.context,
    hostname: 'sandbox',
    callstate: channel.callState,
    call_uuid: channel.uuid,
    initial_cid_num: channel.caller.number,
    initial_dest: channel.destination,
  };
}

const registrationRow = ({ user, domain, callId, uri }: Registration) => ({
  reg_user: user,
  realm: domain,
  token: callId,
  url: `sofia/internal/${uri}`,
  network_ip: '127.0.0.1',
  network_proto: 'udp',
  hostname: 'sandbox',
});

/** All contacts of a phone's user, separated by commas. */
const sofiaContact: ApiCommand = (network, args) => {
  const address = args.trim().replace(/^[^/]*\//, '');
  const contacts = network.registrations.of(address).map(({ uri }) => `sofia/internal/${uri}`);
  return contacts.join(',') || NOT_REGISTERED;
};

const sofia: ApiCommand = (network, args) => {
  const words = args.trim().split(/\s+/);
  const command = words.slice(0, 4).join(' ');
  if (command === 'xmlstatus profile internal reg') return registrationsAsXml(network.registrations.list());
  if (command === 'xmlstatus profile internal user')
    return registrationsAsXml(network.registrations.of(words[4] ?? ''));
  if (words.slice(0, 3).join(' ') === 'profile internal flush_inbound_reg') {
    if (words[3] !== undefined) network.registrations.flush(words[3]);
    return '+OK flushing all registrations matching specified call_id\n';
  }
  if (words[0] === 'status') {
    return 'Name\t   Type\tData\tState\ninternal\tprofile\tsip:sandbox@127.0.0.1:5060\tRUNNING (0)\nexternal\tprofile\tsip:sandbox@127.0.0.1:5080\tRUNNING (0)\n';
  }
  return '-USAGE: sofia profile|status|xmlstatus …\n';
};

function registrationsAsXml(registrations: readonly Registration[]): string {
  const entries = registrations.map((registration) => {
    const { callId, user, domain, userAgent, port, expiresSecs } = registration;
    const fields = {
      'call-id': callId,
      user: `${user}@${domain}`,
      contact: contactHeader(registration),
      agent: userAgent,
      status: `${registrationStatus(registration)}(unknown) expsecs(${expiresSecs})`,
      'ping-status': 'Reachable',
      host: 'sandbox',
      'network-ip': '127.0.0.1',
      'network-port': String(port),
      'sip-auth-user': user,
      'sip-auth-realm': domain,
      'mwi-account': `${user}@${domain}`,
    };
    // A real switch escapes only the contact and the agent.
    const lines = Object.entries(fields).map(
      ([name, value]) => `        <${name}>${name === 'call-id' ? value : xmlText(value)}</${name}>\n`,
    );
    return `    <registration>\n${lines.join('')}    </registration>\n`;
  });
  return `<?xml version="1.0" encoding="ISO-8859-1"?>\n<profile>\n  <registrations>\n${entries.join('')}  </registrations>\n</profile>\n`;
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const xmlText = (text: string): string => text.replaceAll(/[&<>"]/g, (char) => entities[char] ?? char);

/** The globals of `eval` and `global_getvar`. */
const globals = (network: Switch): Readonly<Record<string, string>> => ({
  core_uuid: network.core.uuid,
  hostname: 'sandbox',
  switchname: 'sandbox',
  recordings_dir: '/recordings',
});

export const statusCommands: Readonly<Record<string, ApiCommand>> = {
  show,
  sofia,
  sofia_contact: sofiaContact,
  eval: (network, args) => args.replaceAll(/\$\$?\{(\w+)\}/g, (_match, name: string) => globals(network)[name] ?? ''),
  global_getvar: (network, args) => globals(network)[args.trim()] ?? '',
  fsctl: (_network, args) => (args.trim() === 'ready_check' ? 'true' : '+OK\n'),
  status: (network) => {
    const upMs = network.core.clock.now().getTime() - network.core.startedAt;
    return `UP ${Math.floor(upMs / 1000)} seconds\nFreeSWITCH (sandbox) is ready\n${network.sessionCount} session(s) since startup\n${network.channels.size} session(s)\n`;
  },
  version: () => 'FreeSWITCH (sandbox)\n',
  echo: (_network, args) => args,
  create_uuid: () => randomUUID(),
  reloadxml: () => '+OK [Success]\n',
  msleep: async (_network, args) => {
    await sleep(Math.min(Number(args) || 0, 60_000));
    return '+OK';
  },
};
