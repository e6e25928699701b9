interface FairBroadcastOptions<Target> {
  readonly targetsOf: (companyId: string) => ReadonlySet<Target> | undefined;
  /** Answers how many messages it took. */
  readonly send: (target: Target, updates: readonly string[]) => number;
  /** Called for each update with a time once all connections of its company have it. */
  readonly onSent?: (changedAt: Date) => void;
  /** Calls back when other work of the process has had its turn. */
  readonly later?: (work: () => void) => void;
  /** Calls back after so many milliseconds. */
  readonly afterMs?: (work: () => void, ms: number) => void;
}

/** Messages to one company before it is the next one's turn. */
const SLICE = 100;
/** Beyond this a company's channel is far behind; the oldest are dropped: later updates make clients read again. */
const WAITING_MAX = 10_000;

interface Company {
  /** In the order they came; the same one once, with the time of its first change. */
  readonly waiting: Map<string, Date | undefined>;
  /** The updates being sent, the remaining recipients and the time spent so far. */
  round: Round | undefined;
  resting: boolean;
}

interface Round {
  readonly updates: readonly string[];
  readonly changedAt: readonly (Date | undefined)[];
  readonly targets: Iterator<unknown>;
  spentMs: number;
}

/** Brings updates to the connections of companies, some at a time: one company's many never delay another's. */
export function fairBroadcast<Target>(options: FairBroadcastOptions<Target>) {
  const { targetsOf, send, onSent = () => {}, later = setImmediate, afterMs = setTimeout } = options;
  const companies = new Map<string, Company>();
  /** Companies that have something to be sent, in the order of their turns. */
  const turns = new Set<string>();
  let scheduled = false;
  let stopped = false;

  function schedule(companyId: string): void {
    turns.add(companyId);
    if (!scheduled && !stopped) later(takeTurn);
    scheduled = true;
  }

  function takeTurn(): void {
    scheduled = false;
    const [companyId] = turns;
    const company = companies.get(companyId ?? '');
    if (stopped || companyId === undefined || !company) return;
    turns.delete(companyId);
    company.round ??= newRound(companyId, company);
    const started = performance.now();
    const done = sendSlice(company.round);
    company.round.spentMs += performance.now() - started;
    if (done) {
      for (const at of company.round.changedAt) if (at) onSent(at);
      rest(companyId, company, company.round.spentMs);
    } else turns.add(companyId);
    const [next] = turns;
    if (next !== undefined) schedule(next);
  }

  function newRound(companyId: string, { waiting }: Company): Round {
    const [updates, changedAt] = [[...waiting.keys()], [...waiting.values()]];
    waiting.clear();
    return { updates, changedAt, targets: (targetsOf(companyId) ?? new Set()).values(), spentMs: 0 };
  }

  /** True when the round is over. */
  function sendSlice({ updates, targets }: Round): boolean {
    for (let sent = 0; sent < SLICE;) {
      const { done, value } = targets.next();
      if (done) return true;
      sent += Math.max(1, send(value as Target, updates));
    }
    return false;
  }

  /** Pauses for as long as the round took, so that no company uses more than half of the process's time. */
  function rest(companyId: string, company: Company, ms: number): void {
    company.round = undefined;
    company.resting = true;
    afterMs(() => {
      company.resting = false;
      if (company.waiting.size > 0) schedule(companyId);
      else companies.delete(companyId);
    }, ms);
  }

  return {
    /** An update that already waits is not sent twice. `changedAt`: of what it announces. */
    add(companyId: string, update: string, changedAt?: Date): void {
      if (!targetsOf(companyId)) return;
      const company = companies.get(companyId) ?? {
        waiting: new Map<string, Date | undefined>(),
        round: undefined,
        resting: false,
      };
      company.waiting.set(update, company.waiting.get(update) ?? changedAt);
      const [oldest] = company.waiting.keys();
      if (company.waiting.size > WAITING_MAX && oldest !== undefined) company.waiting.delete(oldest);
      companies.set(companyId, company);
      if (!company.round && !company.resting) schedule(companyId);
    },
    stop(): void {
      stopped = true;
      companies.clear();
      turns.clear();
    },
  };
}
