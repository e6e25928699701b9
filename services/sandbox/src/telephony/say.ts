import { durationMs, type Sound } from '../audio/wav.ts';
import { bridgedWith } from '../switch/bridge.ts';
import type { Channel } from '../switch/channel.ts';
import { conferenceListeners } from '../switch/conferences.ts';
import { RecordMessage } from '../switch/record-message.ts';

/** Adds speech to the recordings of this leg and of the legs that hear it; resolves when it has been played. */
export async function sayOn(channel: Channel, makeSound: () => Promise<Sound>): Promise<boolean> {
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

function listeners(channel: Channel): readonly Channel[] {
  const partner = bridgedWith(channel);
  return partner ? [partner] : conferenceListeners(channel);
}
