import { timestampFromMs } from '@bufbuild/protobuf/wkt';
import { SessionUsageService } from '@parley/proto/assistant/v1/session_usage_pb';
import { CallBackfillService } from '@parley/proto/call_control/v1/backfill_pb';
import { RecordingUsageService } from '@parley/proto/call_control/v1/call_records_pb';
import { MessageBackfillService } from '@parley/proto/messaging_inbox/v1/backfill_pb';
import { CompanyLookupService } from '@parley/proto/directory/v1/company_lookup_pb';
import { EmployeeDirectoryService } from '@parley/proto/directory/v1/employees_pb';
import { RoutingService } from '@parley/proto/numbers_routing/v1/routing_pb';
import type { Channel } from '@parley/rpc';
import { callFact } from '../call-reports/call-fact.ts';
import type { Fact } from '../facts/fact.ts';
import { contactFact, messageFact } from '../message-reports/message-facts.ts';
import type { Pseudonyms } from '../people/pseudonym-store.ts';
import { knownZone } from '../totals/local-time.ts';

/** The services that own numbers, employees, calls and texts. */
export interface Owners {
  /** A company's business numbers, the oldest first. */
  numbers(companyId: string): Promise<{ readonly id: string; readonly zone: string }[]>;
  /** Refuses an unknown company. */
  mustHaveCompany(companyId: string): Promise<void>;
  employeeIds(companyId: string): Promise<string[]>;
  /** Bytes of the recordings of calls that started in a time. */
  recordingsBytes(companyId: string, fromMs: number, beforeMs: number): Promise<number>;
  /** What sessions of assistants took that ended in a month. */
  assistantUsage(companyId: string, month: string): Promise<{ readonly minutes: number; readonly tokens: number }>;
  /** Everything that counts, some at a time. */
  facts(companyId: string): AsyncIterable<Fact[]>;
}

/** A million calls take hours beside requests, for which a rebuild pauses. */
const BACKFILL_TIMEOUT_MS = 12 * 3_600_000;
/** Every call of a month is read. */
const USAGE_TIMEOUT_MS = 60_000;

export function ownersClient(
  peers: Readonly<Record<'directory' | 'numbersRouting' | 'callControl' | 'messagingInbox' | 'assistant', Channel>>,
  pseudonyms: Pseudonyms,
): Owners {
  const routing = peers.numbersRouting.client(RoutingService);
  const directory = peers.directory.client(EmployeeDirectoryService);
  const companies = peers.directory.client(CompanyLookupService);
  const calls = peers.callControl.client(CallBackfillService);
  const recordings = peers.callControl.client(RecordingUsageService);
  const messages = peers.messagingInbox.client(MessageBackfillService);
  const sessions = peers.assistant.client(SessionUsageService);
  return {
    async numbers(companyId) {
      const numbers = [];
      for await (const part of routing.listNumbers({ companyId }))
        for (const { id, timezone } of part.numbers) numbers.push({ id, zone: knownZone(timezone) ?? 'UTC' });
      return numbers;
    },
    async mustHaveCompany(id) {
      await companies.lookUpCompany({ id });
    },
    async employeeIds(companyId) {
      const ids: string[] = [];
      for await (const part of directory.listCompanyEmployees({ companyId }))
        ids.push(...part.employees.map(({ id }) => id));
      return ids;
    },
    async recordingsBytes(companyId, fromMs, beforeMs) {
      const times = { startedFrom: timestampFromMs(fromMs), startedBefore: timestampFromMs(beforeMs) };
      const { bytes } = await recordings.getRecordingUsage({ companyId, ...times }, { timeoutMs: USAGE_TIMEOUT_MS });
      return Number(bytes);
    },
    async assistantUsage(companyId, month) {
      const { minutes, tokens } = await sessions.getSessionUsage({ companyId, month });
      return { minutes: Number(minutes), tokens: Number(tokens) };
    },
    async *facts(companyId) {
      const source = { sequence: 0, readAt: new Date(), storedAt: new Date() };
      const personOf = await pseudonyms.of(companyId);
      const timeoutMs = BACKFILL_TIMEOUT_MS;
      for await (const part of calls.listCallsForBackfill({ companyId }, { timeoutMs }))
        yield part.calls.flatMap((call) =>
          [callFact(call, source), contactFact(call, source, personOf)].flatMap((fact) => fact ?? []),
        );
      for await (const part of messages.listMessagesForBackfill({ companyId }, { timeoutMs }))
        yield part.messages.map((message) => messageFact(message, source, personOf));
    },
  };
}
