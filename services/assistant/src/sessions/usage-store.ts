import { openDocuments } from '@parley/aggregates';
import { decided } from '@parley/errors';
import { SessionUsageService } from '@parley/proto/assistant/v1/session_usage_pb';
import { type RpcServer, services } from '@parley/rpc';
import type { Db } from 'mongodb';

/** What the sessions of a company used in a month. */
interface MonthUsage {
  /** Of company and month. */
  readonly id: string;
  readonly companyId: string;
  /** YYYY-MM, UTC. */
  readonly month: string;
  readonly seconds: number;
  /** Of each session, rounded up. */
  readonly minutes: number;
  readonly tokens: number;
  /** The sessions that were counted last: one that is counted again after a crash is not counted twice. */
  readonly counted: readonly string[];
}

/** A session that has ended. */
interface CountedSession {
  readonly id: string;
  readonly companyId: string;
  readonly seconds: number;
  readonly tokens: number;
}

export type SessionUsages = Awaited<ReturnType<typeof openSessionUsages>>;

/** More than end within the time in which a session is counted again. */
const COUNTED_MAX = 200;

export const monthOf = (at: Date): string => at.toISOString().slice(0, 7);

export async function openSessionUsages(db: Db) {
  const usages = await openDocuments<MonthUsage>({
    db,
    collection: 'session_usage',
    indexes: [{ name: 'company_month', key: { companyId: 1, month: 1 }, unique: true }],
  });
  const idOf = (companyId: string, month: string) => `${companyId}/${month}`;
  return {
    /** Once for each session, however often it is called for it. */
    async count(at: Date, { id, companyId, seconds, tokens }: CountedSession): Promise<void> {
      const month = monthOf(at);
      const key = idOf(companyId, month);
      await usages.of(companyId).upsert(key, (current) => {
        const before = current ?? { id: key, companyId, month, seconds: 0, minutes: 0, tokens: 0, counted: [] };
        if (before.counted.includes(id)) return decided(before);
        return decided({
          ...before,
          seconds: before.seconds + seconds,
          minutes: before.minutes + Math.ceil(seconds / 60),
          tokens: before.tokens + tokens,
          counted: [...before.counted, id].slice(-COUNTED_MAX),
        });
      });
    },
    async of(companyId: string, month: string): Promise<{ seconds: number; minutes: number; tokens: number }> {
      const found = await usages.of(companyId).get(idOf(companyId, month));
      return { seconds: found?.seconds ?? 0, minutes: found?.minutes ?? 0, tokens: found?.tokens ?? 0 };
    },
  };
}

/** What sessions of a company took in a month, for reports. */
export function addSessionUsageService(server: RpcServer, usages: SessionUsages): void {
  server.add(SessionUsageService, services('reports'), {
    async getSessionUsage({ companyId, month }) {
      const { seconds, minutes, tokens } = await usages.of(companyId, month);
      return { seconds: BigInt(seconds), minutes: BigInt(minutes), tokens: BigInt(tokens) };
    },
  });
}
