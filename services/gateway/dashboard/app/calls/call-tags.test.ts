import { expect, it } from '@jest/globals';
import { tagsOf } from './call-tags.ts';

it.each([
  ['', []],
  [' , ', []],
  ['repair, VIP ,', ['repair', 'VIP']],
  ['two words', ['two words']],
])('the typed text %j has the tags %j', (typed, tags) => {
  expect(tagsOf(typed)).toEqual(tags);
});
