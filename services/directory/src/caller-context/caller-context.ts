import { decided, type Decision } from '@parley/errors';

/** Data about a caller from one connected system. */
export interface ProviderContext {
  /** Machine identifier of the system. */
  readonly provider: string;
  readonly label: string;
  /** Store, workspace or account. */
  readonly source: string;
  readonly url: string | null;
  readonly contact: ProviderContact | null;
  readonly sections: readonly Section[];
}

/** The caller's record in another system. */
export interface ProviderContact {
  readonly name: string | null;
  readonly email: string | null;
  readonly companyName: string | null;
  readonly note: string | null;
}

export const FORMATS = ['text', 'money', 'date', 'email', 'phone', 'badge'] as const;
export type Format = (typeof FORMATS)[number];

interface Money {
  /** Decimal. */
  readonly amount: string;
  readonly currency: string;
}

export type Value = string | Money;

export interface Field {
  readonly label: string;
  readonly value: Value;
  readonly format?: Format;
  readonly url?: string;
  readonly bold?: boolean;
}

export interface Column {
  readonly key: string;
  readonly label: string;
  readonly format?: Format;
}

export interface Row {
  readonly url?: string;
  readonly values: Readonly<Record<string, Value>>;
}

export type Section =
  | { readonly type: 'fields'; readonly label?: string; readonly fields: readonly Field[] }
  | {
      readonly type: 'table';
      readonly label: string;
      readonly columns: readonly Column[];
      readonly rows: readonly Row[];
    };

/** A provider's response about a number; the integration's own fields are added by the caller of the provider. */
export type LookupResult = Pick<ProviderContext, 'url' | 'contact' | 'sections'>;

/** Everything that is known about a caller. */
export interface CallerContext {
  readonly contexts: readonly ProviderContext[];
  /** When the systems were queried; null when none was. */
  readonly enrichedAt: Date | null;
}

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
