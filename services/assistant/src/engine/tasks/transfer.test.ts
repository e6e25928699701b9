import { describe, expect, it } from '@jest/globals';
import { call, FACTS, withActions, withFacts } from '../../../test/hold-conversation.ts';

describe('a transfer', () => {
  it('a transfer rings whoever’s name was heard exactly, and says so to the end', () => {
    const conversation = call().hear('Can I speak to Anna Berg about my broken wheel?');
    expect(conversation.turn.say).toEqual([expect.objectContaining({ interruptible: false })]);
    expect(conversation.turn.action).toEqual({
      name: 'transfer_call',
      arguments: { target: 'anna' },
      id: 'ses_1-1',
      callerName: null,
      matter: 'my broken wheel',
    });
  });

  it('a transfer to a name that was not heard exactly is confirmed', () => {
    const conversation = call().hear('Anna Burg please');
    expect(conversation.said).toBe('Do you mean Anna Berg?');
    expect(conversation.action).toBeNull();
    expect(conversation.hear('yes').action).toEqual({ name: 'transfer_call', target: 'anna' });
  });

  it('a transfer to a name that was misheard is asked about, and a name like nobody’s is not', () => {
    const conversation = call().hear('I want to speak to Annabeg Sailsh');
    expect(conversation.action).toBeNull();
    expect(conversation.said).toBe('Do you mean Anna Berg?');
    expect(call().hear('I want to speak to Jonathan Wexford').said).toContain('know anybody of that name');
  });

  it('a transfer is not what a question with a name in it asks for', () => {
    expect(call().hear('where is your shop').action).toBeNull();
  });

  it('a transfer to one of several asks which', () => {
    const conversation = call().hear('I want to speak to Anna Holm');
    expect(conversation.said).toBe('Do you mean Anna Berg, or Anders Holm?');
    expect(conversation.hear('Anders').action).toEqual({ name: 'transfer_call', target: 'anders' });
  });

  it.each([
    ['no_answer', 'Anna Berg did not answer.'],
    ['declined', 'Anna Berg cannot take your call right now.'],
    ['unavailable', 'Anna Berg is not available at the moment.'],
    ['failed', 'I could not reach Anna Berg.'],
  ] as const)('a transfer with the result %s is told, and a message offered', (result, told) => {
    const conversation = call().hear('Anna Berg please').result(result);
    expect(conversation.said).toBe(`${told} Would you like to leave a message for Anna Berg?`);
    expect(conversation.hear('yes').turn.expects).toBe('message');
  });

  it.each([
    ['Then tell him that the invoice is wrong', { text: 'the invoice is wrong', target: 'anna' }],
    ['Please pass on a message that I am late', { target: 'anna' }],
    ['Tell Anders Holm that the invoice is wrong', { target: 'anders' }],
  ])(
    'a transfer that failed is followed by a message for the same person, unless another one is named: %s',
    (said, message) => {
      const conversation = call().hear('Anna Berg please').result('unavailable').hear(said).hear('Jane Hansen', 'yes');
      expect(conversation.action).toMatchObject({ name: 'take_message', ...message });
    },
  );

  it('a transfer that is connected needs no words', () => {
    expect(call().hear('Anna Berg please').result('connected').turn).toMatchObject({ say: [], action: null });
  });

  it('a transfer to the same person is tried twice', () => {
    const conversation = call();
    for (let tries = 0; tries < 2; tries += 1) conversation.hear('Anna Berg please').result('no_answer');
    expect(conversation.hear('Anna Berg please').action).toBeNull();
    expect(conversation.said).toContain('twice');
  });

  it('a transfer to a human, whoever it is, is the fallback', () => {
    expect(call().hear('I want to talk to a real person').action).toEqual({ name: 'hand_over', reason: 'requested' });
    expect(call().hear("I don't want to talk to a machine").action).toMatchObject({ name: 'hand_over' });
  });

  it('a transfer that is not allowed is refused, and a message offered', () => {
    const conversation = call(withActions({ transfer: false })).hear('Anna Berg please');
    expect(conversation.action).toBeNull();
    expect(conversation.said).toMatch(/cannot connect .* message for Anna Berg\?$/);
  });

  it.each(['Please tell Bo that I am late', 'I would like to speak to Bo, please', 'Bo'])(
    'a transfer or a message for somebody with a name of two letters is understood: %s',
    (words) => {
      const bo = { id: 'bo', type: 'employee', name: 'Bo Lind', aliases: [] } as const;
      const conversation = call(withFacts({ targets: [...FACTS.targets, bo] })).hear(words);
      if (conversation.action) expect(conversation.action).toMatchObject({ name: 'transfer_call', target: 'bo' });
      else expect(conversation.hear('Jane Hansen').said).toContain('It is for Bo Lind');
    },
  );

  it('a transfer to somebody with a short name that was written as it sounds is confirmed first', () => {
    const bo = { id: 'bo', type: 'employee', name: 'Bo Lind', aliases: [] } as const;
    const conversation = call(withFacts({ targets: [...FACTS.targets, bo] })).hear('Can I speak to Beau?');
    expect(conversation.said).toBe('Do you mean Bo Lind?');
    expect(conversation.hear('yes').action).toEqual({ name: 'transfer_call', target: 'bo' });
  });

  it('a transfer to somebody who is not known asks again', () => {
    const conversation = call().hear('Can I speak to Zbigniew Brzezinski?');
    expect(conversation.said).toContain("don't know anybody of that name");
    expect(conversation.hear('the workshop').action).toEqual({ name: 'transfer_call', target: 'workshop' });
  });
});
