import { describe, expect, it } from '@jest/globals';
import { derivedFields, updatedFields } from './derived-fields.ts';
import { ada, inbound, transfer } from '../../../test/test-call.ts';

describe('derived fields of a call that changed', () => {
  it('derived fields of a call that changed are the same lists where nothing is different, and new ones where something is', () => {
    const before = inbound(transfer(ada)).call;
    const after = updatedFields(before, derivedFields({ ...before, legs: [] }));
    expect(after.listKeys).toBe(before.listKeys);
    expect(after.waitingFor).toBe(before.waitingFor);
    expect(before.legIds).not.toEqual([]);
    expect(after.legIds).toEqual([]);
  });
});
