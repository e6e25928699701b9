import type { ChannelActivity, Channel } from './channel.ts';
import { hangup, hangupAtOnce } from './hangup.ts';
import { leaveActivity, parkByState } from './park.ts';

/** Connects two channels, whatever they are in; BRIDGE comes a moment later, on the first one only. */
export function bridgeChannels(a: Channel, b: Channel): void {
  const { core } = a;
  a.taken = true;
  b.taken = true;
  core.soon(() => {
    if (a.hungUp || b.hungUp) return;
    a.otherLegUuid = b.uuid;
    b.otherLegUuid = a.uuid;
    for (const channel of core.eitherWay() ? [a, b] : [b, a]) leaveActivity(channel);
    core.soon(() => connect(a, b));
  });
}

function connect(a: Channel, b: Channel): void {
  // One of them hung up in between: the other one has no peer.
  if (a.hungUp || b.hungUp) return [a, b].forEach((channel) => goOnAlone(channel, hangup));
  const bridge = new Bridge(a, b);
  for (const channel of [a, b]) {
    channel.activity = new BridgeEnd(bridge, channel);
    channel.state = 'CS_SOFT_EXECUTE';
  }
  const now = a.core.nowMicros();
  for (const [channel, other] of [[a, b] as const, [b, a] as const]) {
    channel.bridgedMicros = now;
    channel.setVariable('bridge_uuid', other.uuid);
    channel.setVariable('signal_bond', other.uuid);
    channel.setVariable('current_application', 'uuid_bridge');
    channel.publish('CHANNEL_EXECUTE', { Application: 'uuid_bridge', 'Application-Data': other.uuid });
    channel.leg.holds(false);
    channel.leg.addHeard({ kind: 'party', leg_id: other.leg.id });
  }
  b.state = 'CS_EXCHANGE_MEDIA';
  a.publish('CHANNEL_BRIDGE', { ...bridge.headers(), ...recordedHeader(a, b) });
}

/** Not of a real switch, whose recordings run as fast as the clock: here they do not. */
function recordedHeader(...channels: readonly Channel[]): Record<string, string> {
  const [recording] = channels.flatMap((channel) => [...channel.recordings.values()]);
  return recording ? { 'Sandbox-Recorded-Ms': String(Math.round(recording.recordedMs())) } : {};
}

class Bridge {
  readonly a: Channel;
  readonly b: Channel;
  #ended = false;

  constructor(a: Channel, b: Channel) {
    this.a = a;
    this.b = b;
  }

  headers(): Record<string, string> {
    return { 'Bridge-A-Unique-ID': this.a.uuid, 'Bridge-B-Unique-ID': this.b.uuid };
  }

  other(channel: Channel): Channel {
    return channel === this.a ? this.b : this.a;
  }

  /** Takes both out of the bridge without ending either. */
  dissolve(): void {
    if (!this.#begin()) return;
    this.a.otherLegUuid = undefined;
    this.b.otherLegUuid = undefined;
    this.a.publish('CHANNEL_UNBRIDGE', this.headers());
  }

  /** One of the two has ended: the other one parks if it is configured to, otherwise it ends. */
  end(gone: Channel, reason: 'hangup' | 'moved'): void {
    if (!this.#begin()) return;
    const left = this.other(gone);
    if (gone === this.b && reason === 'hangup') {
      // The called side ends completely before the calling side reacts.
      gone.core.soon(() => {
        this.a.publish('CHANNEL_UNBRIDGE', this.headers());
        goOnAlone(left, hangup);
      });
      return;
    }
    if (gone.core.eitherWay()) {
      goOnAlone(left, hangupAtOnce);
      this.a.publish('CHANNEL_UNBRIDGE', this.headers());
    } else {
      this.a.publish('CHANNEL_UNBRIDGE', this.headers());
      goOnAlone(left, hangup);
    }
  }

  #begin(): boolean {
    if (this.#ended) return false;
    this.#ended = true;
    for (const channel of [this.a, this.b]) if (isIn(channel, this)) channel.activity = undefined;
    return true;
  }
}

function goOnAlone(channel: Channel, end: typeof hangup): void {
  if (channel.hungUp || channel.activity) return;
  if (channel.isTrue('park_after_bridge')) parkByState(channel);
  else end(channel, 'NORMAL_CLEARING', 'switch');
}

class BridgeEnd implements ChannelActivity {
  readonly name = 'bridge';
  readonly bridge: Bridge;
  readonly #channel: Channel;

  constructor(bridge: Bridge, channel: Channel) {
    this.bridge = bridge;
    this.#channel = channel;
  }

  stop(reason: 'hangup' | 'moved'): void {
    this.bridge.end(this.#channel, reason);
  }
}

const isIn = (channel: Channel, bridge: Bridge): boolean =>
  channel.activity instanceof BridgeEnd && channel.activity.bridge === bridge;

export function bridgedWith(channel: Channel): Channel | undefined {
  return channel.activity instanceof BridgeEnd ? channel.activity.bridge.other(channel) : undefined;
}

/** Takes both channels out of their bridge, for a transfer of both; gives them, the caller's side first. */
export function dissolveBridge(channel: Channel): readonly Channel[] {
  if (!(channel.activity instanceof BridgeEnd)) return [channel];
  const { bridge } = channel.activity;
  bridge.dissolve();
  return [bridge.a, bridge.b];
}
