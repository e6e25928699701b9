import { describe, expect, it } from '@jest/globals';
import { call } from '../../test/hold-conversation.ts';

describe('a confirmation', () => {
  it('a confirmation that is not understood is asked again, with the message kept', () => {
    const conversation = call().hear('Please tell Anna Berg that I am late', 'Jane Hansen', 'Purple monkeys swim');
    expect(conversation).toMatchObject({ turn: { understood: false, unanswered: null } });
    expect(conversation.said).toMatch(/I am late.*Is that correct\?$/);
    expect(conversation.hear('yes').action).toMatchObject({ name: 'take_message', text: 'I am late', target: 'anna' });
  });

  const toConfirm = () => call().hear('Please tell Anna Berg that I am late', 'Jane Hansen');
  const taken = { name: 'take_message', text: 'I am late', target: 'anna', caller_name: 'Jane Hansen' };

  it.each([
    ['the opening hours', 'And when do you open tomorrow?', /^We open tomorrow at 9.*I am late.*\?$/],
    ['an entry', 'What does a puncture repair cost?', /^We repair a puncture for 120 kroner.*I am late.*\?$/],
    ['the address', 'what is your address', /^Our address is .*I am late.*\?$/],
  ])('a confirmation is asked again after a question about %s is answered, with the message kept', (_, asked, said) => {
    const conversation = toConfirm().hear(asked);
    expect(conversation.said).toMatch(said);
    expect(conversation.turn).toMatchObject({ understood: true, expects: 'yes_no', action: null });
    expect(conversation.hear('yes').action).toEqual(taken);
  });

  it('a confirmation is asked again after several questions, and after an answer that was given twice already', () => {
    const ask = 'what are your opening hours';
    const conversation = toConfirm().hear(ask, ask, ask);
    expect(conversation.said).toMatch(/late/);
    expect(conversation.hear('no, my name is Ida Hansen', 'yes').action).toEqual({
      ...taken,
      caller_name: 'Ida Hansen',
    });
  });

  it('a confirmation waits while the caller says what was meant, and is asked again then', () => {
    const conversation = toConfirm().hear('is there a repair');
    expect(conversation.said).toBe('Do you mean Puncture repair, or Booking a repair?');
    expect(conversation.hear('the first one').said).toMatch(/120 kroner.*I am late.*\?$/);
    expect(conversation.hear('yes').action).toEqual(taken);
    expect(toConfirm().hear('is there a repair', 'Purple monkeys swim').said).toMatch(/^Your message is: I am late/);
  });

  it('a confirmation is not asked again after another wish', () => {
    const conversation = toConfirm().hear('Actually, connect me with Anna Berg');
    expect(conversation.action?.name).toBe('transfer_call');
    expect(conversation.result('unavailable').hear('no', 'are you open tomorrow').said).not.toMatch(/late/);
  });

  it('a confirmation of a callback is asked again after a question is answered', () => {
    const conversation = call().hear('Can you call me back?', 'are you open tomorrow?');
    expect(conversation.said).toMatch(/^Tomorrow we are open.*Can we call the number .* ends in 5 0\?$/);
    expect(conversation.hear('yes').action?.name).toBe('request_callback');
  });

  it('a confirmation that is not understood three times is the fallback', () => {
    const conversation = call().hear('Please tell Anna Berg that I am late', 'Jane Hansen');
    expect(conversation.hear('Purple monkeys swim', 'fish monkeys', 'banana sky').action).toMatchObject({
      name: 'hand_over',
      reason: 'not_understood',
    });
  });
});

describe('a name', () => {
  it('a name is no agreement', () => {
    const conversation = call().hear('Please tell Anna Berg that I am late', 'Yes, that is right.');
    expect(conversation.said).not.toContain('Your name');
  });
});
