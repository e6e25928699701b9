import { type Decision, decided } from '@parley/errors';
import type { ProviderContext } from './caller-context.ts';

/** The last result for a number: for search, and for services that accept an older result. */
export interface SavedContext {
  readonly id: string;
  readonly companyId: string;
  /** E.164. */
  readonly phone: string;
  readonly contexts: readonly ProviderContext[];
  readonly enrichedAt: Date;
}

export interface SavedContextEvent {
  readonly type: 'directory.caller_context.saved';
  readonly saved: SavedContext;
}

/** The earlier answer of a provider that failed is kept. An answer with the same content emits no event. */
export function saveContext(
  known: SavedContext | undefined,
  identity: Pick<SavedContext, 'id' | 'companyId' | 'phone'>,
  found: { readonly contexts: readonly ProviderContext[]; readonly silent: readonly string[] },
  now: Date,
): Decision<SavedContext, SavedContextEvent> {
  const kept = (known?.contexts ?? []).filter(({ provider }) => found.silent.includes(provider));
  const saved: SavedContext = { ...identity, contexts: [...found.contexts, ...kept], enrichedAt: now };
  const same = known && JSON.stringify(known.contexts) === JSON.stringify(saved.contexts);
  return decided(saved, same ? [] : [{ type: 'directory.caller_context.saved', saved }]);
}
