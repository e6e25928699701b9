import { describe, expect, it } from '@jest/globals';
import { matches } from './bounded-match.ts';
import { modelScriptInput, nextTurn, scriptStart } from './model-script.ts';

/** A text of the user; one that begins with ">" is asked again after the results of tools. */
function repliesOf(input: unknown, texts: readonly string[]): (string | undefined)[] {
  const script = modelScriptInput.parse(input);
  let progress = scriptStart;
  return texts.map((said) => {
    const prompt = { text: said.replace(/^>/, ''), continued: said.startsWith('>') };
    const next = nextTurn(script, progress, prompt, matches);
    progress = next.progress;
    return next.turn?.reply ?? undefined;
  });
}

const open = { when: 'open', reply: 'nine' };
const price = { when: 'price|cost', reply: 'ten' };

describe('the script of a model', () => {
  it.each([
    { turns: [{ reply: 'a' }, { reply: 'b' }], at_end: 'repeat', texts: ['', '', ''], replies: ['a', 'b', 'a'] },
    { turns: [{ reply: 'a' }], at_end: 'error', texts: ['', ''], replies: ['a', undefined] },
    { turns: [], at_end: 'repeat', texts: [''], replies: [undefined] },
    {
      turns: [open, price, { reply: 'pardon' }],
      at_end: 'repeat',
      texts: ['What does it COST?', 'Are you open?', 'Hm', 'the price', 'open'],
      replies: ['ten', 'nine', 'pardon', 'ten', 'nine'],
    },
    { turns: [open, price], at_end: 'error', texts: ['open', 'open', 'cost'], replies: ['nine', undefined, 'ten'] },
    {
      turns: [open, { when: 'open', reply: 'ten o’clock' }],
      at_end: 'repeat',
      texts: ['open', 'open', 'open'],
      replies: ['nine', 'ten o’clock', 'nine'],
    },
    {
      turns: [open, { reply: 'then' }, { reply: 'at last' }],
      at_end: 'repeat',
      texts: ['open', '>open', '>open', 'open'],
      replies: ['nine', 'then', 'at last', 'nine'],
    },
  ])('the script $turns with the end $at_end replies $replies to $texts', ({ turns, at_end, texts, replies }) => {
    expect(repliesOf({ turns, at_end }, texts)).toEqual(replies);
  });

  it.each([
    { turns: [{ when: '(' }] },
    { turns: [{ when: '' }] },
    { turns: [{ status: 99 }] },
    { turns: [{ first_token_ms: -1 }] },
    { turns: [{ token_ms: 1.5 }] },
    { turns: [{ drop_after_tokens: -1 }] },
    { turns: [{ tool_calls: [{ arguments: {} }] }] },
    { turns: [{ raw: [1] }] },
    { turns: [], at_end: 'stop' },
    { at_end: 'repeat' },
  ])('the script of a model cannot be %j', (input) => {
    expect(modelScriptInput.safeParse(input).success).toBe(false);
  });

  it.each(['(a+)+$', '^(a|aa)+$', '(.*)*x', String.raw`([a-z]+\s?)+\d`])(
    'the condition %s of a script, which would backtrack for ever, fits nothing after a moment',
    (pattern) => {
      const before = performance.now();
      expect(matches(pattern, `${'a'.repeat(2_000)}!`)).toBe(false);
      expect(performance.now() - before).toBeLessThan(1000);
    },
  );
});
