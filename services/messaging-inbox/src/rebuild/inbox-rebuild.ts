import { type Decision, decided } from '@parley/errors';

export interface RebuildCounts {
  /** Items read from their owners. */
  readonly items: number;
  /** Items that the inbox did not have. */
  readonly addedItems: number;
  /** Items that their owners no longer have. */
  readonly removedItems: number;
  readonly threads: number;
  readonly contacts: number;
  /** Copies of contacts that the directory no longer has. */
  readonly removedContacts: number;
}

/** The last rebuild of a company's inbox. */
export interface InboxRebuild {
  /** The company's id: there is one rebuild at a time. */
  readonly id: string;
  readonly companyId: string;
  readonly startedAt: Date;
  readonly finishedAt: Date | null;
  /** Null while it is running. */
  readonly counts: RebuildCounts | null;
}

export interface RebuildCommand {
  readonly kind: 'rebuild';
}

type RebuildDecision = Decision<InboxRebuild, never, RebuildCommand>;

/** A running one continues. */
export function startRebuild(current: InboxRebuild | undefined, companyId: string, now: Date): RebuildDecision {
  if (current && current.finishedAt === null) return decided<InboxRebuild, never, RebuildCommand>(current);
  const rebuild: InboxRebuild = { id: companyId, companyId, startedAt: now, finishedAt: null, counts: null };
  return decided<InboxRebuild, never, RebuildCommand>(rebuild, [], { commands: [{ kind: 'rebuild' }] });
}

export function finishRebuild(current: InboxRebuild, counts: RebuildCounts, now: Date): RebuildDecision {
  return decided<InboxRebuild, never, RebuildCommand>({ ...current, counts, finishedAt: now });
}
