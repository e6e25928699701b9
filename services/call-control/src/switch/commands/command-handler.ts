import { type CommandContext, type CommandHandler, NotAvailable, type UnknownOutcome } from '@parley/aggregates';
import type { Decision } from '@parley/errors';
import { decideCall } from '../../calls/decide/decide-call.ts';
import type { Call, CallEvent } from '../../calls/model/call.ts';
import type { CallCommand, CallTimer, CommandResult } from '../../calls/model/call-command.ts';
import type { Calls } from '../../calls/store/call-store.ts';
import { SwitchUnreachable } from '../connection/socket-client.ts';
import type { Switch, Switches } from '../connection/switch-client.ts';

type Command<Kind extends CallCommand['kind']> = Extract<CallCommand, { kind: Kind }>;
type Handler<Kind extends CallCommand['kind']> = CommandHandler<
  Call,
  CallEvent,
  CallCommand,
  CallTimer,
  Command<Kind>,
  CommandResult
>;
type Options<Kind extends CallCommand['kind']> = Partial<Omit<Handler<Kind>, 'execute' | 'guarantee' | 'settle'>>;

/** The execution of some kinds of commands. */
export type Handlers<Kinds extends CallCommand['kind']> = { readonly [Kind in Kinds]: Handler<Kind> };

export const DONE: CommandResult = { kind: 'done' };

/** Later commands of the call do not wait for it. */
export const UNORDERED = { unordered: true } as const;

/** It waits for audio or for another service, and must not delay a caller who waits to be answered. */
export const LONG = { isLong: () => true, ...UNORDERED } as const;

export function untilConfirmed<Kind extends CallCommand['kind']>(
  execute: Handler<Kind>['execute'],
  options: Options<Kind> = {},
): Handler<Kind> {
  return { guarantee: 'until_confirmed', execute, settle, ...options };
}

export function atMostOnce<Kind extends CallCommand['kind']>(
  execute: Handler<Kind>['execute'],
  options: Options<Kind> = {},
): Handler<Kind> {
  return { guarantee: 'at_most_once', execute, settle, ...options };
}

/** Done when it is executed: no decision follows from its result. */
export function withoutResult<Kind extends CallCommand['kind']>(
  execute: (command: Command<Kind>, context: CommandContext) => Promise<unknown>,
  options: Options<Kind> = {},
): Handler<Kind> {
  const executed = async (command: Command<Kind>, context: CommandContext) => {
    await execute(command, context);
    return DONE;
  };
  return untilConfirmed(executed, { needsSettling: () => false, ...options });
}

function settle(
  call: Call,
  command: CallCommand,
  result: CommandResult | UnknownOutcome,
  now: Date,
): Decision<Call, CallEvent, CallCommand, CallTimer> {
  const known: CommandResult = 'unknown' in result ? { kind: 'unknown' } : result;
  return decideCall(call, { type: 'settled', command, result: known }, now);
}

export function currentCall(calls: Calls, { companyId, aggregateId }: CommandContext): Promise<Call | undefined> {
  return calls.of(companyId).get(aggregateId);
}

/** Only for fields that never change during a call, because the cached call may be outdated. */
export function recentCall(calls: Calls, { companyId, aggregateId }: CommandContext): Promise<Call | undefined> {
  return calls.of(companyId).getRecent(aggregateId);
}

/** Executes something on the call's own switch; a deleted call needs nothing more. */
export async function onSwitch(
  { calls, switches }: { readonly calls: Calls; readonly switches: Switches },
  context: CommandContext,
  work: (at: Switch, call: Call) => Promise<CommandResult>,
  read = recentCall,
): Promise<CommandResult> {
  const call = await read(calls, context);
  if (!call) return DONE;
  try {
    return await work(switches.get(call.switch.name), call);
  } catch (error) {
    if (error instanceof SwitchUnreachable && !error.isSent) throw new NotAvailable(error.message);
    throw error;
  }
}
