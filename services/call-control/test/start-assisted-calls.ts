import { AssistantEngine } from '@parley/proto/assistant/v1/assistants_pb';
import { SessionControlService, type UpdateSessionRequest } from '@parley/proto/assistant/v1/session_control_pb';
import { AssistantCallService, TakeoverService } from '@parley/proto/call_control/v1/assistant_calls_pb';
import { CallContentService, CallService } from '@parley/proto/call_control/v1/calls_service_pb';
import { EmployeePresenceService, PresenceStatus } from '@parley/proto/call_control/v1/presence_pb';
import type { CallFlowConfig } from '@parley/proto/numbers_routing/v1/call_flows_pb';
import { RoutingService } from '@parley/proto/numbers_routing/v1/routing_pb';
import type { MessageInitShape } from '@bufbuild/protobuf';
import type { CallFlowConfigSchema } from '@parley/proto/numbers_routing/v1/call_flows_pb';
import { notFound, Refused } from '@parley/errors';
import { waitUntil } from '@parley/testkit';
import {
  fakeContract,
  fakeDirectory,
  type Replica,
  type ServiceForTest,
  startServiceForTest,
} from '@parley/testkit/service';
import { service } from '../src/index.ts';
import { as } from './start-call-control.ts';
import { startTestSwitch, type TestSwitch } from './start-test-switch.ts';

export const NUMBER = '+4570101010';
export const CALLER = '+4520304050';

/** What a session has said, for `GetSessionContent`. */
export interface SaidInSession {
  isComplete: boolean;
  summary: string;
  segments: { speaker: string; text: string; startMs: number; endMs: number }[];
}

/** The service assistant as call-control sees it: it admits sessions, and notes what it is told. */
export interface FakeAssistant {
  /** Instead of a reservation; null admits every session. */
  refused: string | null;
  /** While true, no request is answered. */
  isAway: boolean;
  readonly reserved: { callId: string; attempt: number; assistantId: string; fallbackEmployeeIds: string[] }[];
  /** What each session was told, without repetitions and what came too late. */
  readonly told: Map<string, UpdateSessionRequest[]>;
  readonly said: Map<string, SaidInSession>;
}

export const sessionOf = (callId: string): string => callId.replace('cal_', 'ses_');

export type AssistedCalls = Awaited<ReturnType<typeof startAssistedCalls>>;

/** Call-control with a switch, an assistant that nobody hears, and a number that it answers. */
export async function startAssistedCalls(fallback: MessageInitShape<typeof CallFlowConfigSchema>['config']) {
  const phones = await startTestSwitch('parley.invalid');
  const directory = fakeDirectory();
  const { companyId, ownerId } = directory.createCompany();
  const assistant = fakeAssistant();
  const route = { fallback, isOpen: true };
  const callControl = await startServiceForTest(service, {
    peers: {
      directory: directory.contracts,
      'numbers-routing': [fakeRouting(companyId, route)],
      assistant: [assistant.contract],
    },
    follows: ['directory', 'identity'],
    settings: {
      SWITCHES: JSON.stringify([{ name: 'one', url: phones.url, secret: 'a secret of the switch' }]),
      CARRIERS: JSON.stringify([{ name: 'one', dial: 'sofia/external/{number}@carrier.invalid' }]),
      PEER_CACHE_MS: '0',
      TEST_CLOCK: 'on',
    },
  });
  const employees = [ownerId, directory.addEmployee({ companyId, name: 'Bob' }).id];
  return {
    companyId,
    phones,
    assistant,
    route,
    callControl,
    employees,
    ...clientsOf(callControl),
    as: (employeeId: string) => as({ companyId, id: employeeId }),
    async register(employeeId: string) {
      phones.register(employeeId, `${employeeId}@phone`);
      const { presence } = clientsOf(callControl);
      await waitUntil(
        async () => {
          const { presences } = await presence.listPresences(
            { employeeIds: [employeeId] },
            as({ companyId, id: ownerId }),
          );
          return presences[0]?.status === PresenceStatus.AVAILABLE;
        },
        { what: 'the registration' },
      );
    },
    stop: () => stopBoth(callControl, phones),
  };
}

async function stopBoth(callControl: ServiceForTest, phones: TestSwitch): Promise<void> {
  await callControl.stop();
  await phones.stop();
}

function clientsOf(replica: Replica) {
  const gateway = replica.as('gateway');
  return {
    presence: gateway.client(EmployeePresenceService),
    calls: gateway.client(CallService),
    takeovers: gateway.client(TakeoverService),
    /** As the service assistant uses it. */
    actions: replica.as('assistant').client(AssistantCallService),
    content: replica.as('webhooks').client(CallContentService),
  };
}

function fakeAssistant(): FakeAssistant & { contract: ReturnType<typeof fakeContract> } {
  const assistant: FakeAssistant = { refused: null, isAway: false, reserved: [], told: new Map(), said: new Map() };
  const whileThere = async () => {
    while (assistant.isAway) await new Promise((resolve) => setTimeout(resolve, 20));
  };
  const contract = fakeContract(SessionControlService, {
    async reserveSession({ callId, attempt, assistantId, fallbackEmployeeIds }) {
      await whileThere();
      assistant.reserved.push({ callId, attempt, assistantId, fallbackEmployeeIds });
      if (assistant.refused !== null) return { result: { case: 'refused', value: assistant.refused } };
      const reservation = {
        sessionId: sessionOf(callId),
        address: `sip:res_${callId.slice(-8)}_${attempt}@127.0.0.1:5090`,
        assistantName: 'Robin',
        engine: AssistantEngine.EMBEDDED,
      };
      return { result: { case: 'reservation', value: reservation } };
    },
    async updateSession(request) {
      await whileThere();
      const told = assistant.told.get(request.sessionId) ?? [];
      if (request.sequence > (told.at(-1)?.sequence ?? 0)) assistant.told.set(request.sessionId, [...told, request]);
      return {};
    },
    async getSessionContent({ sessionId }) {
      const said = assistant.said.get(sessionId);
      if (!said) throw new Refused(notFound);
      return { complete: said.isComplete, summary: said.summary, segments: said.segments, language: 'en' };
    },
  });
  return Object.assign(assistant, { contract });
}

function fakeRouting(
  companyId: string,
  route: { readonly fallback: MessageInitShape<typeof CallFlowConfigSchema>['config']; readonly isOpen: boolean },
) {
  const number = { id: 'num_1', companyId, name: 'Sales', number: NUMBER, active: true, recordingEnabled: true };
  return fakeContract(RoutingService, {
    async resolveRoute() {
      const config = {
        case: 'assistant' as const,
        value: { assistantId: 'ast_1', assistantName: 'Robin', fallback: { config: route.fallback } },
      };
      return { number, withinBusinessHours: route.isOpen, flow: { config } as CallFlowConfig, positionPrompts: [] };
    },
    getNumber: async () => ({ number }),
    async getNumberByE164({ number: wanted }) {
      if (wanted !== NUMBER) throw new Refused(notFound);
      return { number };
    },
    getKeyPrompt: async () => ({ prompt: { contentHash: 'a'.repeat(64), durationMs: 1000 } }),
  });
}
