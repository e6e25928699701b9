import { describe, expect, it } from '@jest/globals';
import { ada, inbound, prompt, transfer } from '../../../test/test-call.ts';

const positionPrompts = [prompt('one'), prompt('two'), prompt('three')];

function waiting() {
  const test = inbound(transfer(ada), { positionPrompts });
  const heard = () => test.steps().flatMap((step) => (step.do === 'play' ? [step.audio] : []));
  heard();
  const at = (place: number) => test.apply({ type: 'place_found', place });
  return { test, heard, at };
}
const said = (contentHash: string) => [{ kind: 'prompt', contentHash }, { kind: 'ringtone' }];

describe('the place of a waiting caller', () => {
  it('the place of a waiting caller is looked for when the caller joins the queue and when a caller leaves it', () => {
    const { test } = waiting();
    const looks = () => test.commands.filter(({ kind }) => kind === 'update_queue_positions').length;
    expect(looks()).toBe(1);
    test.answer(test.ring(ada));
    expect(looks()).toBe(2);
    const silent = inbound(transfer(ada));
    silent.answer(silent.ring(ada));
    expect(silent.commands.some(({ kind }) => kind === 'update_queue_positions')).toBe(false);
  });

  it('the place of a waiting caller is announced at once, then when it has changed, at most every 30 s, followed by the wait audio', () => {
    const { test, heard, at } = waiting();
    at(3);
    expect(heard()).toEqual(said('three'));
    at(3);
    test.pass(10);
    at(2);
    at(1);
    expect(heard()).toEqual([]);
    test.pass(19);
    expect(heard()).toEqual([]);
    test.pass(1);
    expect(heard()).toEqual(said('one'));
    test.pass(60);
    at(2);
    expect(heard()).toEqual(said('two'));
  });

  it('the place of a waiting caller waits for audio that does not exist yet', () => {
    const test = inbound(transfer(ada), { positionPrompts: [{ contentHash: 'one', durationMs: null }] });
    test.steps();
    test.apply({ type: 'place_found', place: 1 });
    expect(test.steps()).toEqual([]);
    const order = { kind: 'prepare_wait_prompt', contentHash: 'one', attempt: 1 } as const;
    expect(test.commands).toContainEqual(order);
    test.settle(order, { kind: 'prepare_wait_prompt', isReady: false });
    expect(test.commands).toContainEqual({ ...order, attempt: 2 });
    test.settle(order, { kind: 'prepare_wait_prompt', isReady: true });
    expect(test.steps().map((step) => step.do)).toEqual(['stop_audio', 'play', 'play']);
  });

  it('the place of a waiting caller is not repeated when it is the same again by the time it may be announced', () => {
    const { test, heard, at } = waiting();
    at(2);
    heard();
    at(1);
    at(2);
    test.pass(60);
    expect(heard()).toEqual([]);
  });

  it('the place of a waiting caller is not announced to callers who were answered, nor to those who wait far behind', () => {
    const { test, heard, at } = waiting();
    at(4);
    expect(heard()).toEqual([]);
    at(2);
    at(1);
    heard();
    test.answer(test.ring(ada));
    test.steps();
    test.pass(31);
    at(2);
    expect([heard(), test.timers.has('announce_place')]).toEqual([[], false]);
  });
});
