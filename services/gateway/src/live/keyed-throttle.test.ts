import { expect, it } from '@jest/globals';
import { throttleByKey } from './keyed-throttle.ts';

it('a throttle passes on the first of many at once and the others together after the interval, each key by itself', () => {
  const [passed, ends]: [string[], (() => void)[]] = [[], []];
  const throttle = throttleByKey(
    1000,
    (key) => passed.push(key),
    (work) => ends.push(work),
  );
  for (const key of ['a', 'a', 'b', 'a']) throttle.add(key);
  expect(passed).toEqual(['a', 'b']);
  for (const end of ends.splice(0)) end();
  expect(passed).toEqual(['a', 'b', 'a']);
  for (const end of ends.splice(0)) end();
  throttle.add('a');
  expect(passed).toEqual(['a', 'b', 'a', 'a']);
  throttle.add('a');
  throttle.stop();
  for (const end of ends.splice(0)) end();
  expect(passed).toHaveLength(4);
});
