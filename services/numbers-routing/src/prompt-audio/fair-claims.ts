import { LRUCache } from 'lru-cache';

/** The company whose next prompt is synthesized, and the longest text it may have. */
export interface ClaimAllowance {
  readonly companyId: string;
  readonly textLengthMax: number;
}

export type FairClaims = ReturnType<typeof fairClaims>;

/** More companies than have work at any one time. */
const SERVED_MAX = 10_000;

/**
 * Lets companies take turns, one prompt each. Prompts longer than `shortMax` take no more than `longSlots` of the places at
 * once, so that a short one never waits for long ones, of any company.
 */
export function fairClaims({ shortMax, longSlots }: { shortMax: number; longSlots: number }) {
  const inProgress = new Set<string>();
  /** When a company was served last, as a count. */
  const served = new LRUCache<string, number>({ max: SERVED_MAX });
  let longInProgress = 0;
  let count = 0;
  return {
    /** Companies that have to wait, because one of their prompts is being synthesized here. */
    busy: () => [...inProgress],
    /** The company that was served longest ago comes first. */
    turns(waiting: readonly string[]): readonly ClaimAllowance[] {
      const textLengthMax = longInProgress < longSlots ? Infinity : shortMax;
      return waiting
        .filter((companyId) => !inProgress.has(companyId))
        .toSorted((a, b) => (served.peek(a) ?? 0) - (served.peek(b) ?? 0))
        .map((companyId) => ({ companyId, textLengthMax }));
    },
    started(companyId: string, textLength: number): void {
      inProgress.add(companyId);
      if (textLength > shortMax) longInProgress += 1;
      served.set(companyId, (count += 1));
    },
    ended(companyId: string, textLength: number): void {
      inProgress.delete(companyId);
      if (textLength > shortMax) longInProgress -= 1;
    },
  };
}
