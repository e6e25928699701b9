import type { Decision } from '@parley/errors';
import type { Aggregate, AnyCommand } from '../stored/bookkeeping.ts';

/** The arguments of an executor besides the command. */
export interface CommandContext {
  /** The same for every attempt; what a receiver recognises a repetition by. */
  readonly id: string;
  readonly aggregateId: string;
  readonly companyId: string;
  /** 1 for the first. */
  readonly attempt: number;
  readonly createdAt: Date;
  /** Aborted when the process stops or another process has taken the command over. */
  readonly signal: AbortSignal;
  /**
   * False from the moment when another process may take the command over. A process that stood still does not know that yet:
   * what must not be done twice is done only right after asking.
   */
  isLeased(): boolean;
}

/** It is unknown whether an `at_most_once` command was executed: its process crashed, or its handler threw. */
export interface UnknownOutcome {
  readonly unknown: true;
}

/** The execution of commands of one kind. */
export interface CommandHandler<State extends Aggregate, Event, Command, Timer extends string, Own, Result> {
  /**
   * `at_most_once`: never executed twice; when its process crashes during the execution its outcome is unknown.
   * `until_confirmed`: executed again, with growing pauses, until `execute` returns; its receiver must recognise the id.
   */
  readonly guarantee: 'at_most_once' | 'until_confirmed';
  /**
   * For `at_most_once`: the mark is part of the write that adds the command, when this process can execute it at once. That saves a
   * write; a crash before the execution leaves the outcome unknown as well.
   */
  readonly startsWithWrite?: boolean;
  /** Later commands of the same aggregate do not wait for this kind. */
  readonly unordered?: boolean;
  /** Those that take long get half of the places at most, so that the others need not wait for them; and one, once they have waited. */
  isLong?(command: Own): boolean;
  /**
   * How many of a company are executed at a time in this process, where a customer decides how long one takes. Of those beyond the
   * number that may wait, the lease expires.
   */
  readonly perCompanyMax?: number;
  /** Added to its creation time in the order of its company's waiting commands, so that more urgent ones overtake it. */
  mayWaitMs?(command: Own): number;
  /** While false, commands of this kind wait for a process that can execute them. */
  available?(): boolean;
  /** Returns the receiver's result; throws `NotAvailable` when it certainly did not get the command. */
  execute(command: Own, context: CommandContext): Promise<Result>;
  /**
   * False when nothing follows from this result, whatever the state is. Then `settle` is not called, and the command is
   * removed by the aggregate's next write, or shortly later: after a crash in between it is executed again. Only of
   * `until_confirmed` commands.
   */
  needsSettling?(command: Own, result: Result): boolean;
  /** Decides the result. The write that stores it removes the command. Not called for a deleted aggregate. */
  settle?(
    state: State,
    command: Own,
    result: Result | UnknownOutcome,
    now: Date,
  ): Decision<State | null, Event, Command, Timer>;
  /** The outcome of an execution in this process is stored; for those who wait for it here. */
  onSettled?(context: Pick<CommandContext, 'aggregateId'>): void;
}

/** A handler of any kind, for what is the same for all. */
export type AnyHandler = CommandHandler<Aggregate, unknown, AnyCommand, string, AnyCommand, unknown>;
export type AnyHandlers = Readonly<Record<string, AnyHandler>>;

/** A handler for every kind of command. */
export type CommandHandlers<
  State extends Aggregate,
  Event,
  Command extends AnyCommand,
  Timer extends string,
  Results extends Record<Command['kind'], unknown>,
> = {
  readonly [Kind in Command['kind']]: CommandHandler<
    State,
    Event,
    Command,
    Timer,
    Extract<Command, { readonly kind: Kind }>,
    Results[Kind]
  >;
};

export interface CommandOptions {
  /** Simultaneous executions in this process. */
  concurrency?: number;
  /** After this time another process may execute a command of a crashed one. */
  leaseMs?: number;
}

/** Executes commands until it is stopped. */
export interface RunningCommands {
  /** An executor has become available. */
  pollNow(): void;
  stop(): Promise<void>;
}

/** The receiver certainly did not get the command: it is executed later, and this does not count as an attempt. */
export class NotAvailable extends Error {
  override readonly name = 'NotAvailable';
}
