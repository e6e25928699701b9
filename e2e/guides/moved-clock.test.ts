import { afterAll, beforeAll, describe, it } from '@jest/globals';
import { useLocalStack } from '../support/use-local-stack.ts';
import { followGuide, MOVES_CLOCK, readGuides } from './follow-guide.ts';
import { type Computer, openReader, startComputer } from './reader.ts';

const stack = useLocalStack();
let computer: Computer;
beforeAll(async () => {
  computer = await startComputer();
});
afterAll(() => computer?.stop());

describe('a guide that moves the clock', () => {
  it('a guide that moves the clock does and prints what it says', async () => {
    const text = (await readGuides()).get(MOVES_CLOCK)!;
    await followGuide(text, await openReader(computer, stack.local, stack.dataDir));
  });
});
