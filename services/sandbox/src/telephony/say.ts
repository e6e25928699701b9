import { setTimeout as sleep } from 'node:timers/promises';
import { durationMs, type Sound } from '../audio/wav.ts';
import { bridgedWith } from '../switch/bridge.ts';
import type { Channel } from '../switch/channel.ts';
import { conferenceListeners } from '../switch/conferences.ts';
import { RecordMessage } from '../switch/record-message.ts';

/** How long a person waits at most before speaking. */
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
    const startedMs = channel.core.mediaTime.now();
    for (const recording of channel.recordings.values()) recording.addSent(sound, startedMs);
    for (const listener of listeners(channel)) {
      for (const recording of listener.recordings.values()) recording.addReceived(sound, startedMs);
    }
    await new Promise<void>((resolve) => {
      channel.core.mediaTime.after(durationMs(sound), resolve);
      channel.core.onDeath(resolve);
    });
    return true;
  } finally {
    message?.speaks(false);
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

function listeners(channel: Channel): readonly Channel[] {
  const partner = bridgedWith(channel);
  return partner ? [partner] : conferenceListeners(channel);
}
