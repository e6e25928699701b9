import { describe, expect, it } from '@jest/globals';
import { heardText, stateText } from './leg-text.ts';

describe('a leg in words', () => {
  it('a leg in words says what it does, without the words of the switch', () => {
    expect(stateText({ state: 'ended' })).toBe('Ended');
    expect(stateText({ state: 'connected' })).toBe('Connected');
  });

  it('a leg in words repeats what is said to it', () => {
    expect(heardText({ kind: 'speech', text: 'Hello' })).toBe('“Hello”');
    expect(heardText({ kind: 'voice', text: 'Hello' })).toBe('“Hello”');
    expect(heardText({ kind: 'voice', text: null })).toBe('A voice');
    expect(heardText({ kind: 'party', leg_id: 'leg_2' })).toBe('Connected with a person');
  });
});
