import { setTimeout as sleep } from 'node:timers/promises';
import type { Decision } from '@parley/errors';
import {
  type CommandContext,
  type CommandHandler,
  NotAvailable,
  type RunningCommands,
  type UnknownOutcome,
} from '@parley/aggregates';
import { canTakeWaitingCall, forwardOf, isSame, type LeaseKey } from '../../presence/presence.ts';
import type { Presences } from '../../presence/presence-store.ts';
import { SwitchUnreachable } from '../connection/socket-client.ts';
import type { Switch, Switches } from '../connection/switch-client.ts';
import type { PermitCallback } from './permit-callback.ts';
import type { PermitOutside } from './permit-outside.ts';
import type { SaveVoicemail, WithdrawVoicemail } from '../../voicemails/save-voicemail.ts';
import { PREPARE_MS } from '../../calls/decide/play-audio.ts';
import type { Call, CallEvent } from '../../calls/model/call.ts';
import type {
  CallCommand,
  CallTimer,
  CommandResult,
  ControlStep,
  UploadOutcome,
} from '../../calls/model/call-command.ts';
import type { Calls } from '../../calls/store/call-store.ts';
import { controlLegs } from './control-legs.ts';
import { addConversationLease } from '../../presence/conversation-lease.ts';
import { decideCall } from '../../calls/decide/decide-call.ts';
import type { EmployeeDispatch } from '../../dispatch/employee-dispatch.ts';
import type { ReplaceCallbacks } from '../../dispatch/replace-callbacks.ts';
import type { UpdateQueuePositions } from '../../dispatch/update-queue-positions.ts';
import type { HoldOthers } from '../../dispatch/hold-others.ts';
import { hangUpAgain } from './hang-up-again.ts';
import { type Carrier, dial, ring } from './originate-legs.ts';

export interface CallCommandDeps {
  readonly calls: Calls;
  readonly switches: Switches;
  readonly carriers: readonly Carrier[];
  readonly presences: Pick<Presences, 'of'>;
  readonly dispatch: EmployeeDispatch;
  readonly updateQueuePositions: UpdateQueuePositions;
  readonly replaceCallbacks: ReplaceCallbacks;
  readonly holdOthers: HoldOthers;
  readonly saveVoicemail: SaveVoicemail;
  readonly withdrawVoicemail: WithdrawVoicemail;
  /** The length of a prompt's audio once it exists; null when it does not in time. */
  readonly preparePrompt: (contentHash: string, waitMs: number) => Promise<number | null>;
  /** The hash of the audio that asks who answers for a key, in a business number's language; null without the number. */
  readonly keyPrompt: (numberId: string) => Promise<string | null>;
  readonly permitOutside: PermitOutside;
  readonly permitCallback: PermitCallback;
  readonly lookUpCaller: (companyId: string, phone: string) => Promise<void>;
  readonly onLookUpError: (error: unknown) => void;
}

type Of<Kind extends CallCommand['kind']> = Extract<CallCommand, { kind: Kind }>;
type Handler<Kind extends CallCommand['kind']> = CommandHandler<
  Call,
  CallEvent,
  CallCommand,
  CallTimer,
  Of<Kind>,
  CommandResult
>;

const CONCURRENCY = 64;
/** The state must equal the switch's within five seconds, also of calls whose process crashed. */
const LEASE_MS = 3000;
/** How far the order to record overtakes the company's other commands. */
const VOICEMAIL_AHEAD_MS = 10_000;
/** A leg begins to execute what was ordered some milliseconds after the switch has confirmed the order. */
const AUDIO_START_MS = 300;
const DONE: CommandResult = { kind: 'done' };
/** Steps from whose success nothing follows; the switch reports what they lead to. */
const PLAIN_STEPS: ReadonlySet<ControlStep['do']> = new Set([
  'take',
  'answer',
  'ring',
  'send_early_media',
  'stop_audio',
  'play',
  'hang_up',
  'stop_recording',
  'supervise',
]);

/** Executes the stored commands of calls. */
export function startCallCommands(deps: CallCommandDeps): RunningCommands {
  const { calls, presences, dispatch, saveVoicemail } = deps;
  const callOf = ({ companyId, aggregateId }: CommandContext) => calls.of(companyId).get(aggregateId);
  /** Only for fields that never change during a call, because the cached call may be outdated. */
  const recentCallOf = ({ companyId, aggregateId }: CommandContext) => calls.of(companyId).getRecent(aggregateId);

  /** Whoever stays in another call has no new status, which would have a waiting caller offered. */
  async function endLease(companyId: string, employeeId: string, lease: LeaseKey): Promise<void> {
    const presence = await presences.of(companyId).endLease(employeeId, lease);
    if (presence?.status === 'on_call' && canTakeWaitingCall(presence))
      await dispatch.offerEmployee(companyId, employeeId);
  }

  /** On the call's own switch; a deleted call needs nothing more. */
  async function onSwitch(
    context: CommandContext,
    work: (at: Switch, call: Call) => Promise<CommandResult>,
    read = recentCallOf,
  ) {
    const call = await read(context);
    if (!call) return DONE;
    try {
      return await work(deps.switches.get(call.switch.name), call);
    } catch (error) {
      if (error instanceof SwitchUnreachable && !error.isSent) throw new NotAvailable(error.message);
      throw error;
    }
  }

  const untilConfirmed = <Kind extends CallCommand['kind']>(execute: Handler<Kind>['execute']): Handler<Kind> => ({
    guarantee: 'until_confirmed',
    execute,
    settle,
  });
  const atMostOnce = <Kind extends CallCommand['kind']>(execute: Handler<Kind>['execute']): Handler<Kind> => ({
    guarantee: 'at_most_once',
    execute,
    settle,
  });

  /** Some commands are done when they are executed: no decision follows from their result. */
  const needsSettling = () => false;
  /** Commands that wait for audio or for another service must not delay a caller who waits to be answered. */
  const isLong = () => true;

  const dispatchEmployees = {
    needsSettling,
    ...untilConfirmed<'dispatch_employees' | 'seek_employees'>(async (_command, { companyId, aggregateId: id }) => {
      await dispatch.dispatchCall({ companyId, id });
      return DONE;
    }),
    unordered: true,
  };

  return calls.startCommands<Record<CallCommand['kind'], CommandResult>>(
    {
      control: {
        ...untilConfirmed<'control'>(({ steps }, context) =>
          onSwitch(context, async (at, call) => {
            const failures = await controlLegs(at, call, steps, context);
            hangUpAgain(at, call, steps, failures);
            return { kind: 'control', failures };
          }),
        ),
        needsSettling: ({ steps }, result) =>
          result.kind !== 'control' ||
          result.failures.length > 0 ||
          !steps.every(({ do: step }) => PLAIN_STEPS.has(step)),
      },
      record: {
        ...atMostOnce<'record'>(({ step }, context) =>
          onSwitch(context, async (at, call) => ({
            kind: 'control',
            failures: await controlLegs(at, call, [step], context),
          })),
        ),
        startsWithWrite: true,
        // Somebody speaks already; whoever has just arrived hears the ringing tone.
        mayWaitMs: () => -VOICEMAIL_AHEAD_MS,
      },
      ring: atMostOnce<'ring'>((command, context) =>
        onSwitch(context, (at, call) => ring(at, call, command, context), callOf),
      ),
      dial: atMostOnce<'dial'>((command, context) =>
        onSwitch(
          context,
          async (at, call) => ({ kind: 'dial', refused: await dial(at, call, command, { ...deps, ...context }) }),
          callOf,
        ),
      ),
      prepare_prompt: {
        ...untilConfirmed<'prepare_prompt'>(async ({ playId, contentHash }, context) => {
          const call = await callOf(context);
          const isWanted = call && 'playId' in call.phase && call.phase.playId === playId;
          const durationMs = isWanted ? await deps.preparePrompt(contentHash, PREPARE_MS) : null;
          return { kind: 'prepare_prompt', durationMs };
        }),
        isLong,
        unordered: true,
      },
      prepare_wait_prompt: {
        ...untilConfirmed<'prepare_wait_prompt'>(async ({ contentHash }, context) => {
          const isWanted = (await callOf(context))?.phase.kind === 'waiting';
          const isReady = isWanted && (await deps.preparePrompt(contentHash, PREPARE_MS)) !== null;
          return { kind: 'prepare_wait_prompt', isReady };
        }),
        isLong,
        unordered: true,
      },
      prepare_key_prompt: {
        ...untilConfirmed<'prepare_key_prompt'>(async (_command, context) => {
          const call = await callOf(context);
          const isWanted = call?.legs.some(({ outside }) => outside?.needsKey && outside.promptHash === undefined);
          const hash = isWanted ? await deps.keyPrompt(call!.number.id) : null;
          const isReady = hash !== null && (await deps.preparePrompt(hash, PREPARE_MS)) !== null;
          return { kind: 'prepare_key_prompt', contentHash: isReady ? hash : null };
        }),
        isLong,
        unordered: true,
      },
      check_legs: untilConfirmed<'check_legs'>(({ legIds }, context) =>
        onSwitch(context, async (at) => ({ kind: 'check_legs', existing: await at.existing(legIds) })),
      ),
      check_audio: untilConfirmed<'check_audio'>(({ legId, recording }, context) =>
        onSwitch(context, async (at) => {
          await sleep(AUDIO_START_MS);
          const application = await at.applicationOf(legId);
          const isBegun = recording === undefined ? undefined : await at.hasFile(recording);
          return { kind: 'check_audio', application, ...(isBegun !== undefined && { isBegun }) };
        }),
      ),
      find_places: {
        needsSettling,
        ...untilConfirmed<'find_places'>(async (_command, context) => {
          const call = await recentCallOf(context);
          if (call) await deps.updateQueuePositions(call);
          return DONE;
        }),
        unordered: true,
      },
      permit_callback: {
        ...untilConfirmed<'permit_callback'>(async (_command, context) => {
          const call = await recentCallOf(context);
          return { kind: 'permit_callback', isPermitted: call !== undefined && (await deps.permitCallback(call)) };
        }),
        unordered: true,
      },
      replace_callbacks: {
        ...untilConfirmed<'replace_callbacks'>(async (_command, context) => {
          const call = await recentCallOf(context);
          return { kind: 'replace_callbacks', since: call ? await deps.replaceCallbacks(call) : null };
        }),
        unordered: true,
      },
      dispatch_employees: dispatchEmployees,
      seek_employees: dispatchEmployees,
      look_up_caller: {
        needsSettling,
        ...untilConfirmed<'look_up_caller'>(async (_command, context) => {
          const call = await recentCallOf(context);
          // Not retried when it fails: the call continues without it.
          if (call) await deps.lookUpCaller(call.companyId, call.from).catch(deps.onLookUpError);
          return DONE;
        }),
        isLong,
        unordered: true,
      },
      start_conversation: {
        needsSettling,
        ...untilConfirmed<'start_conversation'>(async ({ employeeId, holdsOthers }, { companyId, aggregateId: id }) => {
          const presence = await addConversationLease(presences, { companyId, employeeId, callId: id });
          if (holdsOthers) await deps.holdOthers(presence, id);
          return DONE;
        }),
      },
      end_conversation: {
        needsSettling,
        ...untilConfirmed<'end_conversation'>(async ({ employeeId }, { companyId, aggregateId: id }) => {
          await endLease(companyId, employeeId, { kind: 'conversation', id });
          return DONE;
        }),
      },
      claim_employee: untilConfirmed<'claim_employee'>(async ({ employeeId }, { companyId, aggregateId: id }) => {
        const own = presences.of(companyId);
        await own.offerRing(employeeId, id);
        // One that was claimed by this very command, before a crash, is claimed as well.
        const presence = await own.get(employeeId);
        const isClaimed = presence?.leases.some((lease) => isSame(lease, { kind: 'ring_offer', id })) ?? false;
        const forwardTo = presence && forwardOf(presence);
        return { kind: 'claim_employee', isClaimed, ...(forwardTo !== undefined && { forwardTo }) };
      }),
      release_offer: {
        needsSettling,
        ...untilConfirmed<'release_offer'>(async ({ employeeId }, { companyId, aggregateId: id }) => {
          await endLease(companyId, employeeId, { kind: 'ring_offer', id });
          return DONE;
        }),
      },
      upload_recording: {
        ...untilConfirmed<'upload_recording'>(({ recording }, context) =>
          onSwitch(context, async (at) => ({
            kind: 'upload_recording',
            outcome: await at.upload(recording).catch(async (error: unknown): Promise<UploadOutcome> => {
              // The switch does not say why it could not send it; whether it was refused is known here.
              const sent = (await callOf(context))?.recordings.find(({ name }) => name === recording);
              if (sent?.isRefused) return 'refused';
              // A large one may have been stored after the switch's job timed out.
              if (sent?.status === 'stored') return 'uploaded';
              throw error;
            }),
          })),
        ),
        isLong,
        unordered: true,
      },
      delete_recording_file: {
        ...untilConfirmed<'delete_recording_file'>(({ recording }, context) =>
          onSwitch(context, async (at) => {
            await at.deleteFile(recording);
            return DONE;
          }),
        ),
        isLong,
        unordered: true,
      },
      save_voicemail: untilConfirmed<'save_voicemail'>(async ({ voicemailId, recording }, context) => {
        const call = await callOf(context);
        if (call) await saveVoicemail(call, { voicemailId, recording });
        return DONE;
      }),
      withdraw_voicemail: {
        needsSettling,
        ...untilConfirmed<'withdraw_voicemail'>(async ({ voicemailId }, { companyId }) => {
          await deps.withdrawVoicemail(companyId, voicemailId);
          return DONE;
        }),
      },
    },
    { concurrency: CONCURRENCY, leaseMs: LEASE_MS },
  );
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
