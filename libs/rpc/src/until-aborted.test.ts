import { describe, expect, it } from '@jest/globals';
import { untilAborted } from './until-aborted.ts';

async function* numbers(ended: () => void) {
  try {
    for (let i = 1; ; i++) yield i;
  } finally {
    ended();
  }
}

describe('a sequence until it is aborted', () => {
  it('a sequence until it is aborted is the complete sequence without an abort', async () => {
    const items = async function* () {
      yield* ['a', 'b'];
    };
    expect(await Array.fromAsync(untilAborted(items(), new AbortController().signal))).toEqual(['a', 'b']);
  });

  it('a sequence until it is aborted ends at the abort and finishes its source', async () => {
    const abort = new AbortController();
    let ended = false;
    const seen: number[] = [];
    for await (const number of untilAborted(
      numbers(() => (ended = true)),
      abort.signal,
    )) {
      seen.push(number);
      if (number === 3) abort.abort();
    }
    expect(seen).toEqual([1, 2, 3]);
    expect(ended).toBe(true);
  });

  it('a sequence until it is aborted finishes its source when the reader leaves', async () => {
    let ended = false;
    for await (const _ of untilAborted(
      numbers(() => (ended = true)),
      new AbortController().signal,
    ))
      break;
    expect(ended).toBe(true);
  });

  it('a sequence until it is aborted does not wait for an item that never comes', async () => {
    const abort = new AbortController();
    const silent = async function* () {
      await new Promise(() => {});
      yield 1;
    };
    setImmediate(() => abort.abort());
    expect(await Array.fromAsync(untilAborted(silent(), abort.signal))).toEqual([]);
  });

  it('a sequence until it is aborted is empty when it was aborted before it began', async () => {
    expect(
      await Array.fromAsync(
        untilAborted(
          numbers(() => {}),
          AbortSignal.abort(),
        ),
      ),
    ).toEqual([]);
  });

  it('a sequence until it is aborted passes a failure of its source on, but not one that comes after the abort', async () => {
    const failing = async function* () {
      yield* [];
      throw new Error('no');
    };
    await expect(Array.fromAsync(untilAborted(failing(), new AbortController().signal))).rejects.toThrow('no');
    const abort = new AbortController();
    const late = async function* () {
      await new Promise((resolve) => setTimeout(resolve, 5));
      yield* [];
      throw new Error('late');
    };
    setImmediate(() => abort.abort());
    expect(await Array.fromAsync(untilAborted(late(), abort.signal))).toEqual([]);
    await new Promise((resolve) => setTimeout(resolve, 10));
  });
});
