import { createHash } from 'node:crypto';

/** A uuid derived from a random seed: deciding stays pure, and FreeSWITCH takes ids of 36 characters at most. */
export function derivedUuid(seed: string, index: number): string {
  const hex = createHash('sha256').update(`${seed}/${index}`).digest('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), `4${hex.slice(13, 16)}`, `a${hex.slice(17, 20)}`, hex.slice(20, 32)].join(
    '-',
  );
}
