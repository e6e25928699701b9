import { isUnreachable } from '@parley/mongo';
import type { CallInput } from '../model/call-input.ts';
import type { CallKey } from './call-runner.ts';

/** Applies inputs to their calls, for each call in the order they were added. */
export interface InputQueue {
  /** Resolves when the input has been applied. */
  add(key: CallKey, input: CallInput): Promise<void>;
}

interface Waiting {
  readonly input: CallInput;
  resolve(): void;
  reject(error: unknown): void;
}

/**
 * Inputs that arrive during a write of their call are applied together next: one decision after the other, one write.
 */
export function inputQueue(apply: (key: CallKey, inputs: readonly CallInput[]) => Promise<unknown>): InputQueue {
  const byCall = new Map<string, Waiting[]>();

  async function applyAll(key: CallKey, waiting: Waiting[]): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting.splice(0);
      try {
        await applyBatch(key, batch);
      } catch (error) {
        if (batch.length === 1 || isUnreachable(error)) for (const { reject } of batch) reject(error);
        // The failure of one is not that of the others.
        else for (const one of batch) await applyBatch(key, [one]).catch(one.reject);
      }
    }
    byCall.delete(key.id);
  }

  async function applyBatch(key: CallKey, batch: readonly Waiting[]): Promise<void> {
    await apply(
      key,
      batch.map(({ input }) => input),
    );
    for (const { resolve } of batch) resolve();
  }

  return {
    add: (key, input) =>
      new Promise((resolve, reject) => {
        const added = { input, resolve, reject };
        const waiting = byCall.get(key.id);
        if (waiting) return void waiting.push(added);
        const started = [added];
        byCall.set(key.id, started);
        applyAll(key, started).catch(reject);
      }),
  };
}
