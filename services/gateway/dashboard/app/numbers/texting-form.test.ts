import { describe, expect, it } from '@jest/globals';
import { textingBody, textingForm, textingText } from './texting-form.ts';

describe('the form of texting settings', () => {
  it.each([
    { auto_reply_enabled: true, auto_reply_text: 'Back at 9', auto_reply_cooldown_minutes: 60 },
    { auto_reply_enabled: false, auto_reply_text: null, auto_reply_cooldown_minutes: 1440 },
  ])('the form of texting settings keeps %j', (settings) => {
    expect(textingBody(textingForm(settings))).toEqual(settings);
  });

  it('the form of texting settings says what the number can do', () => {
    const texts = [true, false].flatMap((canSend) =>
      [true, false].map((canReceive) => textingText({ can_send: canSend, can_receive: canReceive })),
    );
    expect(new Set(texts).size).toBe(4);
  });
});
