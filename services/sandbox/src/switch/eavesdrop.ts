import { announce, type ApplicationRun, completeApplication } from './application-run.ts';
import { bridgedWith } from './bridge.ts';
import type { Channel, Execution } from './channel.ts';
import { conferenceListeners } from './conferences.ts';
import { runQueue } from './park.ts';

/** One run of `eavesdrop`: a channel hears another one and whom that one talks to, until either ends or it is broken off. */
export class Eavesdrop implements Execution {
  readonly channel: Channel;
  readonly #call: ApplicationRun;
  readonly #target: Channel | undefined;

  constructor(channel: Channel, call: ApplicationRun, target: Channel | undefined) {
    this.channel = channel;
    this.#call = call;
    this.#target = target;
  }

  start(): void {
    announce(this.channel, this.#call);
    const target = this.#target;
    if (!target?.hasMedia) return this.#finish();
    this.channel.execution = this;
    target.eavesdroppers.add(this);
    const { leg } = this.channel;
    for (const { leg: heard } of [target, ...partiesOf(target)]) leg.addHeard({ kind: 'party', leg_id: heard.id });
    for (const { leg: hearing } of this.hearing()) hearing.addHeard({ kind: 'party', leg_id: leg.id });
  }

  /** The channels that hear the supervisor. `bleg` is the supervised phone, `aleg` the one it talks to. */
  hearing(): readonly Channel[] {
    const target = this.#target;
    if (!target) return [];
    return [
      ...(this.channel.isTrue('eavesdrop_whisper_bleg') ? [target] : []),
      ...(this.channel.isTrue('eavesdrop_whisper_aleg') ? partiesOf(target) : []),
    ];
  }

  breakOff(): void {
    this.#finish();
  }

  interrupt(): void {
    this.#finish();
  }

  #finish(): void {
    const { channel } = this;
    this.#target?.eavesdroppers.delete(this);
    const wasCurrent = channel.execution === this;
    if (wasCurrent) channel.execution = undefined;
    completeApplication(channel, this.#call, '_none_');
    if (wasCurrent || !this.#target?.hasMedia) runQueue(channel);
  }
}

function partiesOf(channel: Channel): readonly Channel[] {
  const partner = bridgedWith(channel);
  return partner ? [partner] : conferenceListeners(channel);
}

/** Everybody who hears a channel. */
export function listenersOf(channel: Channel): readonly Channel[] {
  if (channel.execution instanceof Eavesdrop) return channel.execution.hearing();
  const parties = partiesOf(channel);
  const eavesdroppers = [channel, ...parties].flatMap((heard) => [...heard.eavesdroppers]);
  return [...parties, ...eavesdroppers.map((one) => one.channel)];
}
