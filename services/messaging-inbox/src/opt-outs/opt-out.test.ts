import { describe, expect, it } from '@jest/globals';
import type { Keyword } from './keyword.ts';
import { applyKeyword, needsConfirmation, type OptOut } from './opt-out.ts';

const received = (keyword: Keyword, messageAtMicros: number) => ({
  keyword,
  companyId: 'com_1',
  messageId: `msg_${messageAtMicros}`,
  messageAtMicros,
});

function after(...given: ReturnType<typeof received>[]): OptOut | undefined {
  let current: OptOut | undefined;
  for (const one of given) {
    const decision = applyKeyword(current, 'pair', one);
    if (!decision.ok) throw new Error('refused');
    current = decision.state ?? undefined;
  }
  return current;
}

describe('keywords of a pair of numbers', () => {
  it.each([
    [[], false],
    [[received('stop', 1)], true],
    [[received('stop', 1), received('start', 2)], false],
    [[received('stop', 1), received('help', 2)], true],
    [[received('start', 1)], false],
    [[received('help', 1)], false],
    [[received('start', 2), received('stop', 3), received('stop', 1)], true],
    [[received('stop', 1), received('start', 3), received('stop', 2)], false],
    [[received('stop', 1), received('start', 2), received('start', 2), received('stop', 1)], false],
  ])('the keywords %j leave a pair of numbers opted out: %s', (given, optedOut) => {
    expect(after(...given)?.optedOut ?? false).toBe(optedOut);
  });

  it('keywords of a pair of numbers are confirmed once each; a repeated opt-out is not confirmed', () => {
    const first = received('stop', 1);
    expect(needsConfirmation(after(first), first)).toBe(true);
    const second = received('stop', 2);
    expect(needsConfirmation(after(first, second), second)).toBe(false);
    expect(needsConfirmation(after(first, second), received('help', 3))).toBe(true);
    expect(needsConfirmation(after(received('start', 4)), received('start', 4))).toBe(true);
  });
});
