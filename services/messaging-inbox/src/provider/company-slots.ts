/** Work of many companies, at most so much of one company at a time: a flood of one leaves room for the others. */
export interface CompanySlots {
  run<T>(companyId: string, work: () => Promise<T>): Promise<T>;
}

export function companySlots(perCompanyMax: number): CompanySlots {
  const companies = new Map<string, { running: number; waiting: (() => void)[] }>();
  return {
    async run(companyId, work) {
      const company = companies.get(companyId) ?? { running: 0, waiting: [] };
      companies.set(companyId, company);
      if (company.running < perCompanyMax) company.running += 1;
      else await new Promise<void>((resolve) => company.waiting.push(resolve));
      try {
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
