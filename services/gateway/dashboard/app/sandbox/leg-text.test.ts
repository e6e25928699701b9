import { describe, expect, it } from '@jest/globals';
import { heardText, stateText } from './leg-text.ts';

describe('a leg in words', () => {
  it('says what it does, without the words of the switch', () => {
    expect(stateText({ state: 'ended' })).toBe('Ended');
    expect(stateText({ state: 'connected' })).toBe('Connected');
  });

  it('repeats what is said to it', () => {
    expect(heardText({ kind: 'speech', text: 'Hello' })).toBe('“Hello”');
    expect(heardText({ kind: 'party', leg_id: 'leg_2' })).toBe('Connected with a person');
  });
});
