import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { FRAME_MS, FRAME_SAMPLES, paceFrames, SAMPLE_RATE } from '@parley/sip';
import { resample } from '../audio/resample.ts';
import { durationMs, type Sound } from '../audio/wav.ts';
import type { Channel } from '../switch/channel.ts';
import { listenersOf } from '../switch/eavesdrop.ts';
import { RecordMessage } from '../switch/record-message.ts';
import { forwardFrame, recordFrame } from '../switch/live-audio.ts';

/** The longest time a person waits before speaking. */
const PATIENCE_MS = 3000;
const POLL_MS = 5;

/** What a person says: words, or a recording of somebody. */
export interface Speech {
  readonly text: string | null;
  makeSound(): Promise<Sound>;
}

/** Adds speech to the recordings of this leg and of the legs that hear it; resolves when it has been played. */
export async function sayOn(channel: Channel, speech: Speech): Promise<boolean> {
  await untilListenedTo(channel);
  const message = channel.execution instanceof RecordMessage ? channel.execution : undefined;
  message?.speaks(true);
  try {
    const sound = await speech.makeSound();
    if (!channel.hasMedia) return false;
    const { leg, core } = channel;
    const said = leg.says(speech.text, core.clock.now());
    if (isInRealTime(channel)) await speakFrames(channel, sound);
    else await speakAtOnce(channel, sound);
    said.endedAt = core.clock.now();
    return true;
  } finally {
    message?.speaks(false);
  }
}

/** Somebody hears this phone in real time, whatever the speed of media and the clock are. */
const isInRealTime = (channel: Channel): boolean => listenersOf(channel).some(({ link }) => link?.isRealTime);

/** Frame by frame, like a real phone: who hears it may change meanwhile. */
async function speakFrames(channel: Channel, sound: Sound): Promise<void> {
  const samples = resample(sound, SAMPLE_RATE);
  const utterance = `${channel.uuid}/${randomUUID()}`;
  let at = 0;
  const isSpeaking = () => at < samples.length && channel.hasMedia && channel.core.alive;
  await new Promise<void>((resolve) => {
    const pacer = paceFrames((skipped, lateMs) => {
      for (let frame = 0; frame <= skipped && isSpeaking(); frame += 1, at += FRAME_SAMPLES) {
        const next = new Int16Array(FRAME_SAMPLES);
        next.set(samples.subarray(at, at + FRAME_SAMPLES));
        forwardFrame(channel, next, lateMs + (skipped - frame) * FRAME_MS);
        recordFrame(channel, utterance, { samples: next, sampleRate: SAMPLE_RATE });
      }
      if (isSpeaking()) return;
      pacer.stop();
      resolve();
    });
  });
}

async function speakAtOnce(channel: Channel, sound: Sound): Promise<void> {
  const { core } = channel;
  const startedMs = core.mediaTime.now();
  const hearing = listenersOf(channel);
  for (const { link } of hearing) link?.play(channel.uuid, sound);
  for (const recording of channel.recordings.values()) recording.addSent(sound, startedMs);
  for (const { recordings } of hearing) {
    for (const recording of recordings.values()) recording.addReceived(sound, startedMs);
  }
  const playing = [channel.leg.audio.play('said', sound), ...hearing.map(({ leg }) => leg.audio.play('heard', sound))];
  // A person at a real phone hears it in real time.
  const time = hearing.some(({ link }) => link) ? core.time : core.mediaTime;
  await new Promise<void>((resolve) => {
    time.after(durationMs(sound), resolve);
    core.onDeath(resolve);
  });
  for (const one of playing) one.stop(durationMs(sound));
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
