import type { CallInput } from '../model/call-input.ts';
import type { CallKey } from './call-runner.ts';

/** Applies inputs to their calls, for each call in the order they were added. */
export interface InputQueue {
  /** Resolves when the input has been applied; fails together with those of the same write. */
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
        await apply(
          key,
          batch.map(({ input }) => input),
        );
        for (const { resolve } of batch) resolve();
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    byCall.delete(key.id);
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
