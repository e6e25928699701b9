import { expect, it } from '@jest/globals';
import { changedFields } from './changed-fields.ts';

it('the changed fields are those with another value, also within lists', () => {
  const saved = { name: 'Robin', voice: '', targets: [{ name: 'Sales' }], silence: 7 };
  expect(changedFields(saved, structuredClone(saved))).toEqual({});
  expect(changedFields({ ...saved, voice: 'a', targets: [{ name: 'Support' }] }, saved)).toEqual({
    voice: 'a',
    targets: [{ name: 'Support' }],
  });
});
