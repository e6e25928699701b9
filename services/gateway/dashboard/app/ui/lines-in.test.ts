import { expect, it } from '@jest/globals';
import { linesIn } from './lines-in.ts';

it('the lines of a text are those with words', () => {
  expect(linesIn(' Orders \n\n\tShop\r\n ')).toEqual(['Orders', 'Shop']);
});
