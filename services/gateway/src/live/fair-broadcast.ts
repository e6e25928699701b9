/** Brings updates to the connections of companies, some at a time: one company's many never delay another's. */
export interface FairBroadcast {
  /** An update that already waits is not sent twice. */
  add(companyId: string, update: string): void;
  stop(): void;
}

export interface FairBroadcastOptions<Target> {
  readonly targetsOf: (companyId: string) => ReadonlySet<Target> | undefined;
  /** Answers how many messages it took. */
  readonly send: (target: Target, updates: readonly string[]) => number;
  /** Calls back when other work of the process has had its turn. */
  readonly later?: (work: () => void) => void;
}

/** Messages to one company before it is the next one's turn. */
const SLICE = 100;
/** Beyond this a company's channel is far behind; the oldest are dropped: clients are told to look again by those that follow. */
const WAITING_MAX = 10_000;

interface Company {
  /** In the order they came; the same one once. */
  readonly waiting: Set<string>;
  /** What is being sent, and to whom it is still to be sent. */
  round: { readonly updates: readonly string[]; readonly targets: Iterator<unknown> } | undefined;
}

export function fairBroadcast<Target>(options: FairBroadcastOptions<Target>): FairBroadcast {
  const { targetsOf, send, later = setImmediate } = options;
  /** In the order of their turns: one that has had its turn goes to the end. */
  const companies = new Map<string, Company>();
  let scheduled = false;
  let stopped = false;

  function schedule(): void {
    if (scheduled || stopped) return;
    scheduled = true;
    later(() => {
      scheduled = false;
      const [companyId, company] = companies.entries().next().value ?? [];
      if (stopped || companyId === undefined || !company) return;
      companies.delete(companyId);
      if (!sendSlice(companyId, company)) companies.set(companyId, company);
      if (companies.size > 0) schedule();
    });
  }

  /** True when the company has nothing left to be sent. */
  function sendSlice(companyId: string, company: Company): boolean {
    if (!company.round) {
      const targets = targetsOf(companyId);
      const updates = [...company.waiting];
      company.waiting.clear();
      if (!targets) return true;
      company.round = { updates, targets: targets.values() };
    }
    const { updates, targets } = company.round;
    for (let sent = 0; sent < SLICE;) {
      const { done, value } = targets.next();
      if (done) {
        company.round = undefined;
        return company.waiting.size === 0;
      }
      sent += Math.max(1, send(value as Target, updates));
    }
    return false;
  }

  return {
    add(companyId, update) {
      if (!targetsOf(companyId)) return;
      const company = companies.get(companyId) ?? { waiting: new Set<string>(), round: undefined };
      company.waiting.add(update);
      const [oldest] = company.waiting;
      if (company.waiting.size > WAITING_MAX && oldest !== undefined) company.waiting.delete(oldest);
      companies.set(companyId, company);
      schedule();
    },
    stop() {
      stopped = true;
      companies.clear();
    },
  };
}
