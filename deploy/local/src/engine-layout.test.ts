import { describe, expect, it } from '@jest/globals';
import { engineLayout } from './engine-layout.ts';

const SERVICES = ['directory', 'identity'];
const one = { shared: SERVICES };
const each = { directory: ['directory'], identity: ['identity'] };

describe('the engines of a stack', () => {
  it.each<[string, boolean, string[], object]>([
    ['one for all in a new directory', true, [], one],
    ['one for each service in a new directory, if asked', false, [], each],
    ['one for each service where there is one of theirs, also of some', true, ['directory'], each],
    ['one for all where there is one, even if asked for others', false, ['shared'], one],
    ['one for all after services that have left', true, ['retired'], one],
  ])('the engines of a stack are %s', (_, shared, existing, wanted) => {
    expect(Object.fromEntries(engineLayout(SERVICES, { shared, existing }))).toEqual(wanted);
  });
});
