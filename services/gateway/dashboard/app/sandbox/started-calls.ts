/** A call that was started on this page. */
export interface StartedCall {
  readonly legId: string;
  readonly from: string;
  readonly to: string;
}

const KEY = 'sandbox calls';
const STORED_MAX = 10;

export function withStartedCall(calls: readonly StartedCall[], call: StartedCall): readonly StartedCall[] {
  return [call, ...calls].slice(0, STORED_MAX);
}

/** The calls of this window, which a reload must not lose. */
export function readStartedCalls(storage: Pick<Storage, 'getItem'>): readonly StartedCall[] {
  try {
    const stored = JSON.parse(storage.getItem(KEY) ?? '[]') as unknown;
    return Array.isArray(stored) ? (stored as StartedCall[]) : [];
  } catch {
    return [];
  }
}

export function storeStartedCalls(storage: Pick<Storage, 'setItem'>, calls: readonly StartedCall[]): void {
  storage.setItem(KEY, JSON.stringify(calls));
}
