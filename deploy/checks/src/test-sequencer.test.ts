import { existsSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from '@jest/globals';
import { root } from './root.ts';
import { SLOWEST_TEST_FILES } from './test-sequencer.ts';

it.each(Object.keys(SLOWEST_TEST_FILES))('the slow test file %s exists', (file) => {
  expect(existsSync(path.join(root, file))).toBe(true);
});
