import type { Channel } from './channel.ts';

/** Answers a call that came in; doing it twice changes nothing. */
export function answerChannel(channel: Channel): void {
  if (channel.answered || channel.hungUp) return;
  channel.answeredMicros = channel.core.nowMicros();
  channel.answerState = 'answered';
  channel.setVariable('endpoint_disposition', 'ANSWER');
  channel.leg.connects();
  channel.link?.answered();
  channel.publish('CHANNEL_ANSWER');
  channel.setCallState('ACTIVE');
}

/** Early media: audio to a phone before the answer. */
export function preAnswerChannel(channel: Channel): void {
  if (channel.answered || channel.hungUp || channel.answerState === 'early') return;
  channel.answerState = 'early';
  channel.leg.rings();
  channel.link?.earlyMedia();
  channel.publish('CHANNEL_PROGRESS_MEDIA');
  channel.setCallState('EARLY');
}

/** The phone receives 180 Ringing and generates the ringing tone itself. */
export function ringReady(channel: Channel): void {
  if (channel.answered || channel.hungUp) return;
  channel.leg.rings();
  channel.leg.addHeard({ kind: 'ringtone' });
  channel.link?.ringing();
  channel.publish('CHANNEL_PROGRESS');
}
