import type { Call } from '@parley/proto/call_control/v1/calls_pb';
import { timestampMs } from '@bufbuild/protobuf/wkt';
import { SessionUsageService } from '@parley/proto/assistant/v1/session_usage_pb';
import { CallBackfillService } from '@parley/proto/call_control/v1/backfill_pb';
import { RecordingUsageService } from '@parley/proto/call_control/v1/call_records_pb';
import { MessageBackfillService } from '@parley/proto/messaging_inbox/v1/backfill_pb';
import type { Message } from '@parley/proto/messaging_inbox/v1/messages_pb';
import {
  fakeContract,
  type FakeDirectory,
  fakeDirectory,
  type FakeNumbersRouting,
  fakeNumbersRouting,
  type ServiceForTest,
  startServiceForTest,
} from '@parley/testkit/service';
import { service } from '../src/index.ts';

/** One replica of reports; `replica()` starts another. */
export interface TestReports extends ServiceForTest {
  readonly directory: FakeDirectory;
  readonly numbers: FakeNumbersRouting;
  /** The calls of the fake call-control, for a backfill. */
  readonly ownedCalls: Partial<Call>[];
  /** The texts of the fake messaging-inbox. */
  readonly ownedMessages: Partial<Message>[];
}

export async function startReports(settings: Record<string, string> = {}): Promise<TestReports> {
  const [directory, numbers] = [fakeDirectory(), fakeNumbersRouting()];
  const ownedCalls: Partial<Call>[] = [];
  const ownedMessages: Partial<Message>[] = [];
  const callControl = fakeContract(CallBackfillService, {
    async *listCallsForBackfill({ companyId }) {
      yield { calls: ownedCalls.filter((call) => call.companyId === companyId) as Call[] };
    },
    async *listVoicemailsForBackfill() {
      yield { voicemails: [] };
    },
  });
  const recordings = fakeContract(RecordingUsageService, {
    getRecordingUsage: async ({ startedFrom, startedBefore }) => ({
      bytes: BigInt(timestampMs(startedBefore!) - timestampMs(startedFrom!)),
    }),
  });
  const messagingInbox = fakeContract(MessageBackfillService, {
    async *listMessagesForBackfill({ companyId }) {
      yield { messages: ownedMessages.filter((message) => message.companyId === companyId) as Message[] };
    },
  });
  const sessions = fakeContract(SessionUsageService, {
    getSessionUsage: async ({ month }) => ({ seconds: 61n, minutes: 2n, tokens: BigInt(month.slice(-2)) }),
  });
  const reports = await startServiceForTest(service, {
    peers: {
      directory: directory.contracts,
      'numbers-routing': numbers.contracts,
      'call-control': [callControl, recordings],
      'messaging-inbox': [messagingInbox],
      assistant: [sessions],
    },
    follows: ['directory', 'numbers-routing', 'call-control', 'messaging-inbox', 'identity', 'webhooks'],
    settings,
  });
  return { ...reports, directory, numbers, ownedCalls, ownedMessages };
}
