import { randomUUID } from 'node:crypto';
import { answerChannel, preAnswerChannel, ringReady } from '../answer.ts';
import { bridgeChannels, bridgedWith, dissolveBridge } from '../bridge.ts';
import type { Channel } from '../channel.ts';
import { execute, scheduleHangup } from '../executions.ts';
import { hangup } from '../hangup.ts';
import { knownCause } from '../hangup-causes.ts';
import { leaveActivity, parkByApplication, parkByState } from '../park.ts';
import { pressKey } from '../dtmf.ts';
import type { Switch } from '../switch.ts';
import { type ApiCommand, findChannel, firstWord, NO_CHANNEL, OK, onChannel } from './command.ts';

const uuidBridge: ApiCommand = (network, args) => {
  const [first, second] = firstWord(args.trim());
  const [a, b] = [findChannel(network, first), findChannel(network, second)];
  if (!a || !b || a === b || a.hungUp || b.hungUp) return '-ERR Invalid uuid\n';
  bridgeChannels(a, b);
  return `+OK ${b.uuid}\n`;
};

/** Quotes are stripped; nothing is expanded. */
const unquoted = (value: string): string => value.replaceAll("'", '');

const setVariable = onChannel(NO_CHANNEL, (channel, args) => {
  const [name, value] = firstWord(args);
  if (name === '') return '-USAGE: <uuid> <var> [value]\n';
  channel.setVariable(name, unquoted(value));
  return OK;
});

/** Responds with +OK whatever the variables are. */
const setVariables: ApiCommand = (network, args) => {
  const [uuid, pairs] = firstWord(args.trim());
  const channel = findChannel(network, uuid);
  for (const pair of pairs.split(';')) {
    const at = pair.indexOf('=');
    if (at <= 0) continue;
    const [name, value] = [pair.slice(0, at).trim(), unquoted(pair.slice(at + 1))];
    if (channel) channel.setVariable(name, value);
    else network.onLateVariable(uuid, name, value);
  }
  return channel ? OK : NO_CHANNEL;
};

const broadcast = onChannel('-ERR invalid uuid\n', (channel, args, network) => {
  const [what] = firstWord(args);
  const [name, argument] = what.includes('::') && !what.includes('://') ? what.split('::') : ['playback', what];
  const call = { name: name ?? 'playback', argument: argument ?? '', uuid: randomUUID() };
  execute(channel, call, network.parts);
  return '+OK Message sent\n';
});

const park = onChannel(NO_CHANNEL, (channel) => {
  channel.taken = true;
  channel.core.soon(() => {
    if (channel.hungUp) return;
    leaveActivity(channel);
    parkByState(channel);
  });
  return OK;
});

/** `U [-both|-bleg] app:argument inline`. */
const transfer = onChannel(NO_CHANNEL, (channel, args, network) => {
  const [first, rest] = firstWord(args);
  const option = first === '-both' || first === '-bleg' ? first : undefined;
  const [target, dialplan] = firstWord(option ? rest : args);
  const partner = bridgedWith(channel);
  if (option === '-bleg' && !partner) return '-ERR No such channel!\n';
  if (target === '') return '-USAGE: <uuid> [-bleg|-both] <dest-exten> [<dialplan>] [<context>]\n';
  const moving = option === '-both' && partner ? [channel, partner] : [option === '-bleg' ? partner! : channel];
  for (const one of moving) one.taken = true;
  network.core.soon(() => {
    if (option === '-both') dissolveBridge(channel);
    // Both arrive, the one or the other first.
    for (const one of network.core.eitherWay() ? moving : [...moving].reverse()) {
      if (!one.hungUp) moveTo(network, one, dialplan.startsWith('inline') ? target : 'park');
    }
  });
  return OK;
});

function moveTo(network: Switch, channel: Channel, target: string): void {
  leaveActivity(channel);
  channel.leg.holds(false);
  const at = target.indexOf(':');
  const [name, argument] = at < 0 ? [target, ''] : [target.slice(0, at), target.slice(at + 1)];
  switch (name) {
    case 'conference':
      return network.conferences.join(channel, argument);
    case 'hangup':
      return hangup(channel, knownCause(argument || undefined), 'switch');
    case 'park':
      return parkByApplication(channel);
    default:
      // No supported application follows in this dialplan, so the channel ends.
      return hangup(channel, 'NORMAL_CLEARING', 'switch');
  }
}

export const channelCommands: Readonly<Record<string, ApiCommand>> = {
  uuid_exists: (network, args) => String(network.channels.has(args.trim())),
  uuid_answer: onChannel('-ERROR\n', (channel) => {
    answerChannel(channel);
    return OK;
  }),
  uuid_pre_answer: onChannel('-ERROR\n', (channel) => {
    preAnswerChannel(channel);
    return OK;
  }),
  uuid_ring_ready: onChannel(NO_CHANNEL, (channel) => {
    ringReady(channel);
    return OK;
  }),
  uuid_kill: onChannel(NO_CHANNEL, (channel, cause) => {
    hangup(channel, knownCause(cause || undefined), 'switch');
    return OK;
  }),
  uuid_bridge: uuidBridge,
  uuid_setvar: setVariable,
  uuid_setvar_multi: setVariables,
  uuid_getvar: onChannel(NO_CHANNEL, (channel, name) => channel.variable(name) ?? '_undef_'),
  uuid_dump: onChannel(NO_CHANNEL, (channel, format) => {
    const headers = { 'Event-Name': 'CHANNEL_DATA', 'Core-UUID': channel.core.uuid, ...channel.dump() };
    if (format === 'json') return JSON.stringify(headers);
    return Object.entries(headers).reduce(
      (text, [name, value]) => `${text}${name}: ${encodeURIComponent(value)}\n`,
      '',
    );
  }),
  uuid_broadcast: broadcast,
  uuid_break: onChannel(NO_CHANNEL, (channel, which) => {
    if (which === 'all') channel.queue.length = 0;
    channel.core.soon(() => channel.execution?.breakOff());
    return OK;
  }),
  uuid_park: park,
  uuid_transfer: transfer,
  uuid_recv_dtmf: onChannel(NO_CHANNEL, (channel, digits) => {
    for (const digit of digits) pressKey(channel, digit, 'APP');
    return `+OK ${channel.uuid} received DTMF ${digits}.\n`;
  }),
  uuid_send_dtmf: onChannel(NO_CHANNEL, (channel, digits) => {
    for (const digit of digits) channel.link?.press(digit);
    return `+OK ${channel.uuid} sent DTMF ${digits}.\n`;
  }),
  sched_hangup: (network, args) => {
    const [when = '', uuid = '', cause = ''] = args.trim().split(/\s+/);
    const channel = findChannel(network, uuid);
    if (!channel) return NO_CHANNEL;
    scheduleHangup(channel, `${when} ${cause}`);
    return '+OK added\n';
  },
  sched_del: (network, args) => {
    const channel = findChannel(network, args.trim());
    const deleted = channel?.scheduledHangups.size ?? 0;
    for (const timer of channel?.scheduledHangups ?? []) timer.cancel();
    channel?.scheduledHangups.clear();
    return `+OK Deleted: ${deleted}\n`;
  },
};
