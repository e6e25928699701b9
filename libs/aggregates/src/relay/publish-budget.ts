import { LRUCache } from 'lru-cache';

/** Per company. */
interface PublishBudgetLimits {
  readonly eventsBurst: number;
  readonly eventsPerSec: number;
  readonly bytesBurst: number;
  readonly bytesPerSec: number;
}

/** The budget of one company: a large import takes minutes, and one company cannot fill the stream in an hour. */
const DEFAULT_LIMITS: PublishBudgetLimits = {
  eventsBurst: 20_000,
  eventsPerSec: 200,
  bytesBurst: 32 * 1024 * 1024,
  bytesPerSec: 128 * 1024,
};

const COMPANIES_MAX = 50_000;

/** Limits what a company publishes through this process, so that a stream has capacity for the events of the others. */
export interface PublishBudget {
  /** 0 when the events may be published now, and are counted; otherwise how long to wait, in milliseconds. */
  take(companyId: string, events: number, bytes: number): number;
}

interface Account {
  events: number;
  bytes: number;
  at: number;
}

/** A token bucket per company. What exceeds a whole burst is let through when the bucket is full. */
export function openPublishBudget(
  limits: PublishBudgetLimits = DEFAULT_LIMITS,
  elapsedMs: () => number = () => performance.now(),
): PublishBudget {
  const { eventsBurst, eventsPerSec, bytesBurst, bytesPerSec } = limits;
  // The least recently used one has a full bucket, or nearly.
  const accounts = new LRUCache<string, Account>({ max: COMPANIES_MAX });

  function accountOf(companyId: string): Account {
    const now = elapsedMs();
    const { events, bytes, at } = accounts.get(companyId) ?? { events: eventsBurst, bytes: bytesBurst, at: now };
    const secs = (now - at) / 1000;
    const account = {
      events: Math.min(eventsBurst, events + secs * eventsPerSec),
      bytes: Math.min(bytesBurst, bytes + secs * bytesPerSec),
      at: now,
    };
    accounts.set(companyId, account);
    return account;
  }

  return {
    take(companyId, events, bytes) {
      const account = accountOf(companyId);
      const missingEvents = Math.min(events, eventsBurst) - account.events;
      const missingBytes = Math.min(bytes, bytesBurst) - account.bytes;
      const waitSecs = Math.max(missingEvents / eventsPerSec, missingBytes / bytesPerSec);
      if (waitSecs > 0) return Math.ceil(waitSecs * 1000);
      account.events -= events;
      account.bytes -= bytes;
      return 0;
    },
  };
}
