import type { Company } from './company.ts';

const kept = new Map<string, Promise<unknown>>();

/**
 * What several checks of an area read and none of them changes, prepared by the first of them: an ended call, say. It must be plain values: what
 * makes requests belongs to one check and ends with it.
 */
export function once<Value>(company: Company, what: string, prepare: () => Promise<Value>): Promise<Value> {
  const key = `${company.id} ${what}`;
  const found = kept.get(key) as Promise<Value> | undefined;
  if (found) return found;
  const preparing = prepare();
  kept.set(key, preparing);
  preparing.catch(() => kept.delete(key));
  return preparing;
}
