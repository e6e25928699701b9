/** Work of many companies, at most so much of one company at a time: a flood of one leaves room for the others. */
export interface CompanySlots {
  /** What has waited until `signal` aborted is not begun: nobody is there any more to be answered. */
  run<T>(companyId: string, signal: AbortSignal, work: () => Promise<T>): Promise<T>;
}

export function companySlots(perCompanyMax: number): CompanySlots {
  const companies = new Map<string, { running: number; waiting: (() => void)[] }>();
  return {
    async run(companyId, signal, work) {
      const company = companies.get(companyId) ?? { running: 0, waiting: [] };
      companies.set(companyId, company);
      if (company.running < perCompanyMax) company.running += 1;
      else await new Promise<void>((resolve) => company.waiting.push(resolve));
      try {
        signal.throwIfAborted();
        return await work();
      } finally {
        const next = company.waiting.shift();
        if (next) next();
        else company.running -= 1;
        if (company.running === 0) companies.delete(companyId);
      }
    },
  };
}
