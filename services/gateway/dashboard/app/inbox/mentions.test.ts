import { describe, expect, it } from '@jest/globals';
import { mentionBefore, mentionParts, withMention } from './mentions.ts';

describe('mentions in a comment', () => {
  it.each([
    ['@', ''],
    ['ask @Bo', 'Bo'],
    ['ask @Søren', 'Søren'],
    ['bo@example', undefined],
    ['@Bo do', undefined],
  ])('after %s somebody is looked for: %s', (text, wanted) => {
    expect(mentionBefore(text, text.length)).toBe(wanted);
  });

  it('mentions in a comment take the place of what was typed', () => {
    expect(withMention('ask @bo please', 7, 'Bo Lind')).toEqual({ text: 'ask @Bo Lind please', caret: 13 });
  });

  it('mentions in a comment are marked, by name or its first word, in any case of letters', () => {
    expect(mentionParts('@Bo Lind and @freja, see', ['Bo Lind', 'Freja Holt'])).toEqual([
      { text: '@Bo Lind', isMention: true },
      { text: ' and ', isMention: false },
      { text: '@freja', isMention: true },
      { text: ', see', isMention: false },
    ]);
    expect(mentionParts('a (b', ['(x'])).toEqual([{ text: 'a (b', isMention: false }]);
    expect(mentionParts('plain', [])).toEqual([{ text: 'plain', isMention: false }]);
  });
});
