import { expect, it } from '@jest/globals';
import { splitByHits } from './split-by-hits.ts';

it('splitByHits sets apart what is looked for', () => {
  expect(splitByHits('Bike, my bike.', ' bike ')).toEqual([
    { text: 'Bike', isHit: true },
    { text: ', my ', isHit: false },
    { text: 'bike', isHit: true },
    { text: '.', isHit: false },
  ]);
  expect(splitByHits('Bike', '')).toEqual([{ text: 'Bike', isHit: false }]);
  expect(splitByHits('Bike', 'car')).toEqual([{ text: 'Bike', isHit: false }]);
});
