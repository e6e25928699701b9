import { type Decision, dueIn, type Effects } from '@parley/errors';
import type { Revision } from '../writes/document-writer.ts';
import { type StoredDocument, toState } from '../stored/stored-document.ts';
import { commandsAndTimersOf, type Outbox } from '../outbox/outbox.ts';
import { type AnyCommand, type CommandEntry, commandOf } from '../stored/command-entries.ts';
import type { CommandHandler } from './command-handlers.ts';
import type { Aggregate } from '../stored/bookkeeping.ts';
import { retryWaitMs } from '../stored/timer-entries.ts';

export type AnyHandler = CommandHandler<Aggregate, unknown, AnyCommand, string, AnyCommand, unknown>;

export type AnyHandlers = Readonly<Record<string, AnyHandler>>;

export type Outcome =
  | { readonly type: 'result'; readonly result: unknown }
  | { readonly type: 'unknown' }
  | { readonly type: 'failed'; readonly error: unknown }
  /** `retryMs`: how long to wait before the retry; null: until the handler is available. */
  | { readonly type: 'unavailable'; readonly retryMs: number | null };

interface Settled {
  state: Aggregate | null;
  events: unknown[];
  commands: AnyCommand[];
  timers: Record<string, unknown>;
}

/** Settles commands of a document in one write: their decisions one after the other, in the order they ended. */
export function settleOutcomes(options: {
  stored: StoredDocument;
  /** The current commands; those in `outcomes` belong to the process that records them. */
  commands: readonly CommandEntry[];
  outcomes: readonly (readonly [CommandEntry, Outcome])[];
  handlers: AnyHandlers;
  outbox: Outbox;
  now: Date;
  onError: (entry: CommandEntry, error: unknown) => void;
}): Revision {
  const { stored, outcomes, handlers, outbox, now, onError } = options;
  const before = stored._deleted ? null : toState<Aggregate>(stored);
  const settled: Settled = { state: before, events: [], commands: [], timers: {} };
  let commands = options.commands;
  const replace = (entry: CommandEntry, next: CommandEntry) =>
    void (commands = commands.map((one) => (one === entry ? next : one)));
  const failed = (entry: CommandEntry, error: unknown) => {
    const attempts = entry.attempts + 1;
    onError(entry, error);
    replace(entry, { ...entry, attempts, lease: null, retry: dueIn(now, retryWaitMs(attempts)) });
  };
  for (const [entry, outcome] of outcomes) {
    if (outcome.type === 'failed') {
      failed(entry, outcome.error);
    } else if (outcome.type === 'unavailable') {
      const retry = outcome.retryMs === null ? null : dueIn(now, outcome.retryMs);
      replace(entry, { ...entry, startedAt: null, lease: null, retry });
    } else {
      try {
        const result = outcome.type === 'unknown' ? ({ unknown: true } as const) : outcome.result;
        add(settled, handlers[entry.kind], commandOf(entry), result, now);
        commands = commands.filter((one) => one !== entry);
      } catch (error) {
        failed(entry, error);
      }
    }
  }
  const { state } = settled;
  const effects = { ...settled, state: undefined } as unknown as Effects<unknown, AnyCommand, string>;
  const deleted = stored._deleted || state === null;
  return {
    ...(state !== before && { state }),
    extra: outbox.write(stored, deleted, effects, { commands, timers: commandsAndTimersOf(stored).timers }) ?? {},
  };
}

/** Adds what follows from one result. A refusal means that nothing follows. */
function add(settled: Settled, handler: AnyHandler | undefined, command: AnyCommand, result: unknown, now: Date): void {
  if (settled.state === null) return;
  const decision: Decision<Aggregate | null, unknown, AnyCommand, string> | undefined = handler?.settle?.(
    settled.state,
    command,
    result,
    now,
  );
  if (!decision?.ok) return;
  settled.state = decision.state;
  settled.events.push(...decision.events);
  settled.commands.push(...decision.commands);
  Object.assign(settled.timers, decision.timers);
}
