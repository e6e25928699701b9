import { bridgedWith } from './bridge.ts';
import type { Channel } from './channel.ts';

/** A key that was pressed, or reported by an application (`APP`). The phone that the channel is bridged with gets it, too. */
export function pressKey(channel: Channel, digit: string, source: 'RTP' | 'APP'): void {
  channel.core.soon(() => {
    if (channel.hungUp) return;
    bridgedWith(channel)?.link?.press(digit);
    channel.publishPlain('DTMF', {
      'DTMF-Digit': digit,
      'DTMF-Duration': source === 'RTP' ? '2240' : '2000',
      'DTMF-Source': source,
    });
  });
}
