import { expect, it } from '@jest/globals';
import { checks } from '../checks/index.ts';
import { mutations } from './index.ts';

it('every mutation has an id of its area, a sentence, a change, and checks that can find it', () => {
  expect(new Set(mutations.map(({ id }) => id)).size).toBe(mutations.length);
  for (const { id, sentence, areas, where, request, answer } of mutations) {
    expect(id).toMatch(new RegExp(`^${areas[0]}-[a-z0-9-]+$`));
    expect(sentence).toMatch(/^[A-Z`].+\.$/);
    expect(where.path).toMatch(/^\//);
    expect([request, answer].some((change) => change !== undefined)).toBe(true);
    expect(areas.every((area) => checks.some((check) => check.area === area))).toBe(true);
  }
});
