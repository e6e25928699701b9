import { describe, expect, it } from '@jest/globals';
import { MongoNetworkError } from 'mongodb';
import type { CallInput } from '../model/call-input.ts';
import { inputQueue } from './input-queue.ts';

const one = { companyId: 'com_1', id: 'cal_1' };
const other = { companyId: 'com_1', id: 'cal_2' };
const digit = (key: string): CallInput => ({ type: 'digit', legId: 'leg', digit: key });
const nextTick = () => new Promise((resolve) => setImmediate(resolve));

/** Inputs that are applied when the test allows it. */
function heldBack() {
  const told: { id: string; digits: string; done: () => void; fail: (error: Error) => void }[] = [];
  const queue = inputQueue(
    ({ id }, inputs) =>
      new Promise<void>((done, fail) => {
        const digits = inputs.map((input) => (input.type === 'digit' ? input.digit : '')).join('');
        told.push({ id, digits, done, fail });
      }),
  );
  return { told, queue };
}

describe('inputs of calls', () => {
  it('that arrive during a write of their call are applied together, in order', async () => {
    const { told, queue } = heldBack();
    const first = queue.add(one, digit('1'));
    const rest = [queue.add(one, digit('2')), queue.add(one, digit('3'))];
    expect(told.map(({ digits }) => digits)).toEqual(['1']);
    told[0]!.done();
    await first;
    await nextTick();
    expect(told.map(({ digits }) => digits)).toEqual(['1', '23']);
    told[1]!.done();
    await Promise.all(rest);
    void queue.add(one, digit('4'));
    expect(told.at(-1)?.digits).toBe('4');
  });

  it('of other calls do not wait', () => {
    const { told, queue } = heldBack();
    void queue.add(one, digit('1'));
    void queue.add(other, digit('2'));
    expect(told.map(({ id }) => id)).toEqual(['cal_1', 'cal_2']);
  });

  it('are applied one by one after a failure, so that only the one that cannot be applied fails', async () => {
    const { told, queue } = heldBack();
    const first = queue.add(one, digit('1'));
    const rest = ['2', '3', '4'].map((key) => queue.add(one, digit(key)));
    const outcomes = Promise.allSettled(rest);
    told[0]!.done();
    await first;
    await nextTick();
    told[1]!.fail(new Error('one of them'));
    for (const [index, digits] of ['2', '3', '4'].entries()) {
      await nextTick();
      expect(told.at(-1)?.digits).toBe(digits);
      if (index === 1) told.at(-1)!.fail(new Error('this one'));
      else told.at(-1)!.done();
    }
    expect((await outcomes).map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  });

  it('fail together when the database cannot be reached', async () => {
    const { told, queue } = heldBack();
    const first = queue.add(one, digit('1'));
    const outcomes = Promise.allSettled([queue.add(one, digit('2')), queue.add(one, digit('3'))]);
    told[0]!.done();
    await first;
    await nextTick();
    told[1]!.fail(new MongoNetworkError('gone'));
    expect((await outcomes).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(told).toHaveLength(2);
  });

  it('continue after a failure', async () => {
    const { told, queue } = heldBack();
    const first = queue.add(one, digit('1'));
    const second = queue.add(one, digit('2'));
    told[0]!.fail(new Error('no'));
    await expect(first).rejects.toThrow('no');
    await nextTick();
    told[1]!.done();
    await second;
  });
});
