import { setTimeout as sleep } from 'node:timers/promises';
import { durationMs, type Sound } from '../audio/wav.ts';
import type { Channel } from '../switch/channel.ts';
import { listenersOf } from '../switch/eavesdrop.ts';
import { RecordMessage } from '../switch/record-message.ts';

/** The longest time a person waits before speaking. */
const PATIENCE_MS = 3000;
const POLL_MS = 5;

/** Adds speech to the recordings of this leg and of the legs that hear it; resolves when it has been played. */
export async function sayOn(channel: Channel, makeSound: () => Promise<Sound>): Promise<boolean> {
  await untilListenedTo(channel);
  const message = channel.execution instanceof RecordMessage ? channel.execution : undefined;
  message?.speaks(true);
  try {
    const sound = await makeSound();
    if (!channel.hasMedia) return false;
    const { core } = channel;
    const startedMs = core.mediaTime.now();
    const hearing = listenersOf(channel);
    for (const { link } of hearing) link?.play(channel.uuid, sound);
    for (const recording of channel.recordings.values()) recording.addSent(sound, startedMs);
    for (const { recordings } of hearing) {
      for (const recording of recordings.values()) recording.addReceived(sound, startedMs);
    }
    // A person at a real phone hears it in real time.
    const time = hearing.some(({ link }) => link) ? core.time : core.mediaTime;
    await new Promise<void>((resolve) => {
      time.after(durationMs(sound), resolve);
      core.onDeath(resolve);
    });
    return true;
  } finally {
    message?.speaks(false);
  }
}

/** Forwards a frame of a real phone to the other real phones that hear it. */
export function forwardFrame(channel: Channel, samples: Int16Array): void {
  for (const { link } of listenersOf(channel)) link?.forward(channel.uuid, samples);
}

/** Adds a frame of a real phone to the recordings of this leg and of the legs that hear it. */
export function recordFrame(channel: Channel, utterance: string, frame: Sound): void {
  for (const recording of channel.recordings.values()) recording.addLive('sent', utterance, frame);
  for (const { recordings } of listenersOf(channel)) {
    for (const recording of recordings.values()) recording.addLive('received', utterance, frame);
  }
}

/** A person speaks after the beep, when the recording has started, and to somebody after answering the phone. */
async function untilListenedTo(channel: Channel): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS;
  while (isAboutToBeListenedTo(channel) && performance.now() < deadline) await sleep(POLL_MS);
}

function isAboutToBeListenedTo({ leg, execution, hasMedia, core }: Channel): boolean {
  if (!hasMedia || !core.alive || execution instanceof RecordMessage) return false;
  return leg.heard.at(-1)?.kind === 'beep' || (leg.direction === 'incoming' && !leg.hasMetParty);
}
