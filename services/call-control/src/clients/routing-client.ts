import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { unlessNotFound } from '@parley/errors';
import { ANY_COMPANY, type CachedAnswers } from '@parley/events';
import { batch, batching, sharedResult } from '@parley/queues';
import type { Channel } from '@parley/rpc';
import {
  type AssistantConfig,
  type CallFlowConfig,
  type ForwardConfig,
  MenuAction,
  type MenuOption as ProtoOption,
  type Prompt as ProtoPrompt,
} from '@parley/proto/numbers_routing/v1/call_flows_pb';
import { type NumberSnapshot, RingStrategy, WaitAudio } from '@parley/proto/numbers_routing/v1/numbers_pb';
import { type ResolveRouteResponse, RoutingService } from '@parley/proto/numbers_routing/v1/routing_pb';
import type { CallNumber } from '../calls/model/call.ts';
import type {
  AssistantFlow,
  CallFlow,
  ForwardFlow,
  MenuOption,
  NoAnswerPlan,
  Prompt,
  StepFlow,
} from '../calls/model/call-flow.ts';

/** The route of a call to a number. */
export interface Route {
  readonly companyId: string;
  readonly number: CallNumber;
  /** Null when the number takes no calls. */
  readonly flow: CallFlow | null;
  readonly noAnswer: NoAnswerPlan | null;
  readonly withinBusinessHours: boolean;
}

/** A number an employee may call from. */
export interface CallingNumber {
  readonly companyId: string;
  readonly isActive: boolean;
  readonly number: CallNumber;
}

/** Requests to numbers-routing. Undefined for an unknown number. */
export type Routing = ReturnType<typeof routingClient>;

type NumberResponse = { number?: NumberSnapshot | undefined; recordingAnnouncement?: ProtoPrompt | undefined };
const TIMEOUT_MS = 4000;
/** Business hours, breaks and closures begin and end with a minute, in every time zone. */
const MINUTE_MS = 60_000;

/**
 * A change of a number is in force for the next call, because its event drops the cached answer; an answer about a time is used
 * within the same minute of the product's clock only.
 */
export function routingClient(channel: Channel, answers: Pick<CachedAnswers, 'get'>) {
  const service = channel.client(RoutingService);

  async function resolveRoute({ number, at }: { number: string; at: Date }): Promise<Route | undefined> {
    const asked = service.resolveRoute({ number, at: timestampFromDate(at) }, { timeoutMs: TIMEOUT_MS });
    const route = await unlessNotFound(asked);
    if (!route?.number) return undefined;
    const { flow, noAnswer, withinBusinessHours, recordingAnnouncement } = route;
    return {
      companyId: route.number.companyId,
      number: { ...callNumber(route.number, recordingAnnouncement), ...queuePrompts(route) },
      flow: flow ? callFlow(flow) : null,
      noAnswer: noAnswer?.flow ? { timeoutSecs: noAnswer.timeoutSecs, flow: callFlow(noAnswer.flow) } : null,
      withinBusinessHours,
    };
  }

  /** Calls that arrive during a request share the next one: no answer is older than the call. */
  const resolve = batch(
    sharedResult((calls: readonly { readonly number: string; readonly at: Date }[]) => resolveRoute(calls.at(-1)!)),
    { ...batching.routes, keyBy: ({ number }) => number },
  );

  async function findNumber(idOrNumber: string): Promise<CallingNumber | undefined> {
    const options = { timeoutMs: TIMEOUT_MS };
    const asked = idOrNumber.startsWith('+')
      ? service.getNumberByE164({ number: idOrNumber }, options)
      : service.getNumber({ id: idOrNumber }, options);
    const { number, recordingAnnouncement } = (await unlessNotFound<NumberResponse>(asked)) ?? {};
    if (!number) return undefined;
    return {
      companyId: number.companyId,
      isActive: number.active,
      number: callNumber(number, recordingAnnouncement),
    };
  }

  return {
    route(number: string, at: Date): Promise<Route | undefined> {
      const minute = Math.floor(at.getTime() / MINUTE_MS);
      return answers.get(ANY_COMPANY, `route ${number} ${minute}`, () => resolve({ number, at }));
    },
    /** The hash of what somebody outside the company hears who must press a key to accept a call; null for an unknown number. */
    async keyPrompt(id: string): Promise<string | null> {
      const answered = await unlessNotFound(service.getKeyPrompt({ id }, { timeoutMs: TIMEOUT_MS }));
      return answered?.prompt?.contentHash ?? null;
    },
    number: (idOrNumber: string) => answers.get(ANY_COMPANY, `number ${idOrNumber}`, () => findNumber(idOrNumber)),
  };
}

function callNumber(number: NumberSnapshot, announcement: ProtoPrompt | undefined): CallNumber {
  const recordingAnnouncement = prompt(announcement);
  return {
    id: number.id,
    name: number.name,
    number: number.number,
    formatted: number.numberFormatted,
    recordingEnabled: number.recordingEnabled,
    waitAudio: number.waitAudio === WaitAudio.MUSIC ? 'music' : 'ringtone',
    ...ringStrategy(number.ringStrategy),
    ...(recordingAnnouncement && { recordingAnnouncement }),
  };
}

/** Left out where nothing is said: most calls. */
function queuePrompts({
  positionPrompts: said,
  callbackPrompt,
}: ResolveRouteResponse): Pick<CallNumber, 'positionPrompts' | 'callbackPrompt'> {
  const offer = prompt(callbackPrompt);
  return {
    ...(said.length > 0 && { positionPrompts: said.map((one) => prompt(one)!) }),
    ...(offer && { callbackPrompt: offer }),
  };
}

/** Left out where everybody rings at once: most calls. */
function ringStrategy(strategy: RingStrategy): Pick<CallNumber, 'ringStrategy'> {
  if (strategy === RingStrategy.LONGEST_IDLE) return { ringStrategy: 'longest_idle' };
  return strategy === RingStrategy.IN_ORDER ? { ringStrategy: 'in_order' } : {};
}

function callFlow({ config }: CallFlowConfig): CallFlow {
  switch (config.case) {
    case 'welcomeTransfer':
      return { type: 'transfer', prompt: prompt(config.value.welcome), employeeIds: config.value.employeeIds };
    case 'transfer':
      return { type: 'transfer', prompt: null, employeeIds: config.value.employeeIds };
    case 'reject':
      return { type: 'message', prompt: prompt(config.value.message) };
    case 'voicemail':
      return { type: 'voicemail', prompt: prompt(config.value.greeting) };
    case 'forward':
      return forwardFlow(config.value);
    case 'assistant':
      return assistantFlow(config.value);
    case 'phoneMenu': {
      const welcome = prompt(config.value.welcome);
      if (!welcome) throw new Error('a menu without a prompt');
      return { type: 'menu', prompt: welcome, options: config.value.menuOptions.map(menuOption) };
    }
    default:
      throw new Error('a call flow of an unknown type');
  }
}

function menuOption(option: ProtoOption): MenuOption {
  return { digit: option.digit, flow: menuStep(option) };
}

function assistantFlow({ assistantId, assistantName: name, fallback: config }: AssistantConfig): AssistantFlow {
  const fallback = config && callFlow(config);
  if (!fallback || fallback.type === 'menu' || fallback.type === 'assistant')
    throw new Error('an assistant without a fallback');
  return { type: 'assistant', assistantId, name, fallback };
}

function menuStep({ action, employeeIds, prompt: said, forward, assistant }: ProtoOption): StepFlow | AssistantFlow {
  switch (action) {
    case MenuAction.ASSISTANT:
      if (!assistant) throw new Error('a menu option without its assistant');
      return assistantFlow(assistant);
    case MenuAction.FORWARD:
      if (!forward) throw new Error('a forward without a phone number');
      return forwardFlow(forward);
    case MenuAction.TRANSFER:
      return { type: 'transfer', prompt: null, employeeIds };
    case MenuAction.WELCOME_TRANSFER:
      return { type: 'transfer', prompt: prompt(said), employeeIds };
    case MenuAction.VOICEMAIL:
      return { type: 'voicemail', prompt: prompt(said) };
    default:
      return { type: 'message', prompt: prompt(said) };
  }
}

function forwardFlow({ phoneNumber, timeoutSecs, confirm }: ForwardConfig): ForwardFlow {
  return { type: 'forward', phoneNumber, timeoutSecs, confirm };
}

function prompt(said: ProtoPrompt | undefined): Prompt | null {
  return said ? { contentHash: said.contentHash, durationMs: said.durationMs ?? null } : null;
}
