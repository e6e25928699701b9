import { type Decision, decided, notFound, type Refusal, refusal, refused } from '@parley/errors';

/** An import of contacts from a file, portion by portion. */
export interface ContactImport {
  readonly id: string;
  readonly companyId: string;
  /** `receiving` until all of its lines are stored; it is not shown before. */
  readonly state: 'receiving' | 'running' | 'done';
  /** The number of portions; `next` is the index of the first one that is not imported. */
  readonly portions: number;
  readonly next: number;
  readonly lines: number;
  readonly created: number;
  readonly updated: number;
  /** Limits how many are in progress; absent once it is done. */
  readonly slot?: number;
  readonly expiresAt: Date;
}

/** Has the next portion imported. */
export interface ImportCommand {
  readonly kind: 'import_portion';
}

export type ContactImportDecision = Decision<ContactImport, never, ImportCommand>;

/** The outcome of the lines of a portion. */
export interface PortionResult {
  readonly created: number;
  readonly updated: number;
  readonly refused: readonly RefusedLine[];
}

export interface RefusedLine {
  readonly line: number;
  readonly error: string;
}

const HOUR_MS = 3600 * 1000;
/** Imports of a company that are received or run at a time. */
export const RUNNING_MAX = 5;
export const tooManyImports: Refusal = refusal('rate_limited', `at most ${RUNNING_MAX} imports run at a time`);
/** Far more than receiving it takes. */
const RECEIVING_MS = HOUR_MS;
const KEPT_MS = 7 * 24 * HOUR_MS;
const IMPORT_PORTION: ImportCommand = { kind: 'import_portion' };
const after = (now: Date, ms: number) => new Date(now.getTime() + ms);

export function createImport(
  identity: Pick<ContactImport, 'id' | 'companyId' | 'slot'>,
  now: Date,
): ContactImportDecision {
  const nothing = { portions: 0, next: 0, lines: 0, created: 0, updated: 0 };
  return decided<ContactImport, never, ImportCommand>({
    ...identity,
    ...nothing,
    state: 'receiving',
    expiresAt: after(now, RECEIVING_MS),
  });
}

/** All lines are stored. */
export function startImport(
  current: ContactImport,
  given: Pick<ContactImport, 'portions' | 'lines'>,
  now: Date,
): ContactImportDecision {
  if (current.state !== 'receiving') return decided<ContactImport, never, ImportCommand>(current);
  const { portions, lines } = given;
  const started: ContactImport = { ...current, portions, lines, state: 'running', expiresAt: after(now, KEPT_MS) };
  return portions === 0
    ? finish(started)
    : decided<ContactImport, never, ImportCommand>(started, [], { commands: [IMPORT_PORTION] });
}

/** A portion was imported. */
export function recordPortion(
  current: ContactImport,
  portion: number,
  { created, updated }: PortionResult,
): ContactImportDecision {
  // A command that was executed twice reports the same portion.
  if (current.state !== 'running' || portion !== current.next)
    return decided<ContactImport, never, ImportCommand>(current);
  const next: ContactImport = {
    ...current,
    next: portion + 1,
    created: current.created + created,
    updated: current.updated + updated,
  };
  return next.next >= next.portions
    ? finish(next)
    : decided<ContactImport, never, ImportCommand>(next, [], { commands: [IMPORT_PORTION] });
}

function finish({ slot: _, ...current }: ContactImport): ContactImportDecision {
  return decided<ContactImport, never, ImportCommand>({ ...current, state: 'done' });
}

/** Lines are added before the start only. */
export function acceptLines(current: ContactImport): ContactImportDecision {
  return current.state === 'receiving' ? decided<ContactImport, never, ImportCommand>(current) : refused(notFound);
}

/** One that was started is not removed. */
export function cancelImport(current: ContactImport): Decision<null, never, ImportCommand> {
  return current.state === 'receiving' ? decided<null, never, ImportCommand>(null) : refused(notFound);
}
