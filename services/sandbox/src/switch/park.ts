import { randomUUID } from 'node:crypto';
import type { ChannelActivity, Channel } from './channel.ts';

/** Parks a channel by the application: from the dialplan, an originate or an execute. */
export function parkByApplication(channel: Channel): void {
  const applicationUuid = randomUUID();
  channel.state = 'CS_EXECUTE';
  channel.setVariable('current_application', 'park');
  channel.publish('CHANNEL_EXECUTE', { Application: 'park', 'Application-UUID': applicationUuid });
  enterPark(channel, applicationUuid);
}

/** Parks a channel by state: after a bridge (park_after_bridge) or by uuid_park. */
export function parkByState(channel: Channel): void {
  channel.state = 'CS_PARK';
  enterPark(channel, undefined);
}

/** Runs the next waiting application if the channel is parked and has nothing to do. */
export function runQueue(channel: Channel): void {
  if (channel.hungUp || channel.execution || channel.activity?.name !== 'park') return;
  channel.queue.shift()?.();
}

function enterPark(channel: Channel, applicationUuid: string | undefined): void {
  channel.activity = new Park(channel, applicationUuid);
  channel.publish('CHANNEL_PARK');
  channel.core.soon(() => runQueue(channel));
}

class Park implements ChannelActivity {
  readonly name = 'park';
  readonly #channel: Channel;
  readonly #applicationUuid: string | undefined;

  constructor(channel: Channel, applicationUuid: string | undefined) {
    this.#channel = channel;
    this.#applicationUuid = applicationUuid;
  }

  stop(): void {
    const channel = this.#channel;
    channel.publish('CHANNEL_UNPARK');
    if (this.#applicationUuid === undefined) return;
    channel.publish('CHANNEL_EXECUTE_COMPLETE', {
      Application: 'park',
      // A real switch shows the response of whatever ran last.
      'Application-Response': channel.variable('current_application_response') ?? '_none_',
      'Application-UUID': this.#applicationUuid,
    });
  }
}

/** Ends the channel's current activity, because it continues with another one. */
export function leaveActivity(channel: Channel): void {
  const { activity, execution } = channel;
  channel.activity = undefined;
  channel.execution = undefined;
  execution?.interrupt();
  activity?.stop('moved');
}
