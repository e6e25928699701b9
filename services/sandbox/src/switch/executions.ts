import { randomUUID } from 'node:crypto';
import { answerChannel, preAnswerChannel, ringReady } from './answer.ts';
import { announce, type ApplicationRun, completeApplication } from './application-run.ts';
import type { Channel } from './channel.ts';
import { Eavesdrop } from './eavesdrop.ts';
import { hangup } from './hangup.ts';
import { knownCause } from './hangup-causes.ts';
import { leaveActivity, parkByApplication, runQueue } from './park.ts';
import { Playback, type PlaybackParts } from './playback.ts';
import { RecordMessage } from './record-message.ts';

export interface ApplicationParts extends PlaybackParts {
  joinConference(channel: Channel, room: string): void;
  channel(uuid: string): Channel | undefined;
}

/** Queues an application: it runs when the channel is parked and what was queued before it has ended. */
export function execute(channel: Channel, call: ApplicationRun, parts: ApplicationParts): void {
  channel.queue.push(() => run(channel, call, parts));
  channel.core.soon(() => runQueue(channel));
}

function run(channel: Channel, call: ApplicationRun, parts: ApplicationParts): void {
  const argument = expanded(channel, call.argument);
  switch (call.name) {
    case 'playback':
    case 'loop_playback':
    case 'endless_playback':
      new Playback(channel, { ...call, argument }, parts).start();
      return;
    case 'record':
      new RecordMessage(channel, { ...call, argument }, parts).start();
      return;
    case 'eavesdrop':
      new Eavesdrop(channel, { ...call, argument }, parts.channel(argument)).start();
      return;
    case 'conference':
      leaveActivity(channel);
      parts.joinConference(channel, argument);
      return;
    case 'park':
      leaveActivity(channel);
      parkByApplication(channel);
      return;
    default:
      runAtOnce(channel, { ...call, argument });
  }
}

/** Applications that end immediately. An unknown one does nothing, as on a real switch. */
function runAtOnce(channel: Channel, call: ApplicationRun): void {
  announce(channel, call);
  switch (call.name) {
    case 'answer':
      answerChannel(channel);
      break;
    case 'pre_answer':
      preAnswerChannel(channel);
      break;
    case 'ring_ready':
      ringReady(channel);
      break;
    case 'set':
    case 'export': {
      const at = call.argument.indexOf('=');
      if (at > 0) channel.setVariable(call.argument.slice(0, at), call.argument.slice(at + 1));
      break;
    }
    case 'unset':
      channel.setVariable(call.argument, undefined);
      break;
    case 'sched_hangup':
      scheduleHangup(channel, call.argument);
      break;
  }
  completeApplication(channel, call, '_none_');
  if (call.name === 'hangup') hangup(channel, knownCause(call.argument || undefined), 'switch');
  runQueue(channel);
}

/** `+15 USER_BUSY`: seconds from now and the cause. */
export function scheduleHangup(channel: Channel, argument: string): void {
  const [when = '', cause] = argument.trim().split(/\s+/);
  const seconds = Number(when.replace(/^\+/, ''));
  if (!Number.isFinite(seconds)) return;
  const timer = channel.core.time.after(seconds * 1000, () => {
    channel.scheduledHangups.delete(timer);
    hangup(channel, knownCause(cause), 'switch');
  });
  channel.scheduledHangups.add(timer);
}

/** Runs an application from the dialplan, where its events come at once. */
export function runFromDialplan(channel: Channel, name: string, argument: string): void {
  runAtOnce(channel, { name, argument, uuid: randomUUID() });
}

/** `${name}` in an argument becomes the channel's variable: so caller input must never be put there. */
function expanded(channel: Channel, argument: string): string {
  return argument.replaceAll(/\$\{([\w-]+)\}/g, (_match, name: string) => channel.variable(name) ?? '');
}
