import type { Clock } from '@parley/clock';
import { type Decision, dueIn } from '@parley/errors';
import { collidedIndex } from '@parley/mongo';
import type { Collection } from 'mongodb';
import type { DocumentWriter, Revision } from '../writes/document-writer.ts';
import { type StoredDocument, toState } from '../stored/stored-document.ts';
import type { Logger } from '@parley/telemetry';
import { commandsAndTimersOf, type Outbox } from '../outbox/outbox.ts';
import { type Aggregate, dueTimers, retryWaitMs, type TimerEntry } from '../stored/bookkeeping.ts';

/** The decision of each timer. A refusal means that there is nothing to do; the timer is removed all the same. */
export type TimerHandlers<State extends Aggregate, Event, Command, Timer extends string> = {
  readonly [Name in Timer]: (state: State, now: Date) => Decision<State | null, Event, Command, Timer>;
};

export interface TimerOptions<State extends Aggregate> {
  /** True when this process may fire the timers of an aggregate now; otherwise they stay due. */
  readonly mayFire?: (state: State) => boolean;
}

export type AnyTimerHandlers = Readonly<
  Record<string, (state: Aggregate, now: Date) => Decision<Aggregate | null, unknown, never, string>>
>;

/** Fires the timers of a document. */
export function timerFiring(options: { writer: DocumentWriter; outbox: Outbox; clock: Clock; log: Logger }) {
  const { writer, outbox, clock, log } = options;
  let handlers: AnyTimerHandlers = {};
  let mayFire: (state: Aggregate) => boolean = () => true;

  const nextDue = (stored: StoredDocument): TimerEntry | undefined =>
    stored._deleted
      ? undefined
      : dueTimers(commandsAndTimersOf(stored).timers, clock.now()).find(({ name }) => handlers[name]);

  /** The handler failed: later timers of the document continue, and it is retried. */
  function postpone(stored: StoredDocument, failed: TimerEntry, error: unknown): Revision {
    const failures = failed.failures + 1;
    log.error({ err: error, id: stored._id, timer: failed.name, failures }, 'timer failed; it is tried again');
    const due = dueIn(clock.now(), retryWaitMs(failures));
    const timers = commandsAndTimersOf(stored).timers.map((timer) =>
      timer === failed ? { ...timer, ...due, failures } : timer,
    );
    return { extra: outbox.write(stored, false, undefined, { timers }) ?? {} };
  }

  function decide(stored: StoredDocument, due: TimerEntry): Revision {
    const decision = handlers[due.name]!(toState(stored), clock.now());
    const timers = commandsAndTimersOf(stored).timers.filter((timer) => timer !== due);
    if (!decision.ok) return { extra: outbox.write(stored, false, undefined, { timers }) ?? {} };
    const { state } = decision;
    return { state, extra: outbox.write(stored, state === null, decision, { timers }) ?? {} };
  }

  async function fireNext(id: string): Promise<'fired' | 'none' | 'held_back'> {
    let isHeldBack = false;
    const update = (make: (stored: StoredDocument, due: TimerEntry) => Revision) =>
      writer.updateBookkeeping(id, (stored) => {
        const due = nextDue(stored);
        isHeldBack = due !== undefined && !mayFire(toState(stored));
        if (!due || isHeldBack) return undefined;
        try {
          return make(stored, due);
        } catch (error) {
          return postpone(stored, due, error);
        }
      });
    const outcome = (hasFired: boolean) => (hasFired ? 'fired' : isHeldBack ? 'held_back' : 'none');
    try {
      return outcome(await update(decide));
    } catch (error) {
      // The decision violates a unique index.
      if (collidedIndex(error) === undefined) throw error;
      return outcome(await update((stored, failed) => postpone(stored, failed, error)));
    }
  }

  return {
    use(added: AnyTimerHandlers, options: TimerOptions<Aggregate> = {}): void {
      handlers = { ...handlers, ...added };
      if (options.mayFire) ({ mayFire } = options);
    },
    /**
     * Fires what is due, one timer per write; the write that follows from a timer also removes it. False when timers of
     * the document are due that may not fire here now.
     */
    async fire(id: string): Promise<boolean> {
      for (;;) {
        const outcome = await fireNext(id);
        if (outcome !== 'fired') return outcome === 'none';
      }
    },
  };
}

/** After a clock went back: nothing waits longer from now than it was meant to wait. */
export async function pullBackDueTimes(collection: Collection<StoredDocument>, now: Date): Promise<void> {
  const sooner = (due: string) => ({ $min: [`${due}.at`, { $add: [now, `${due}.waitMs`] }] });
  const timers = {
    $map: { input: { $ifNull: ['$_timers', []] }, in: { $mergeObjects: ['$$this', { at: sooner('$$this') }] } },
  };
  const commands = {
    $map: {
      input: { $ifNull: ['$_commands', []] },
      in: {
        $mergeObjects: [
          '$$this',
          {
            retry: {
              $cond: [
                { $eq: ['$$this.retry', null] },
                null,
                { $mergeObjects: ['$$this.retry', { at: sooner('$$this.retry') }] },
              ],
            },
          },
        ],
      },
    },
  };
  const ahead = { $gt: now };
  const times = { $concatArrays: ['$_timers.at', '$_commands.retry.at'] };
  await collection.updateMany(
    { _dueAt: { $exists: true }, $or: [{ '_timers.at': ahead }, { '_commands.retry.at': ahead }] },
    [
      { $set: { _timers: timers, _commands: commands } },
      { $set: { _dueAt: { $min: times }, _version: { $add: ['$_version', 1] } } },
    ],
  );
}
