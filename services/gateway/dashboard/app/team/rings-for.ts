import { useQueries, useQuery } from '@tanstack/react-query';
import { businessNumbersQuery } from '../api/shared-queries.ts';
import type { BusinessNumber, CallFlowConfig } from '../api/schema.d.ts';
import { businessNumberQuery } from '../numbers/business-number-queries.ts';

/** With more numbers than these the column is left empty: each is a request. */
const NUMBERS_MAX = 20;

/** The names of the business numbers that ring each employee, by the employee's id. */
export function useRingsFor(): ReadonlyMap<string, readonly string[]> {
  const { data: numbers = [] } = useQuery(businessNumbersQuery);
  const read = numbers.length > NUMBERS_MAX ? [] : numbers;
  return useQueries({
    queries: read.map(({ id }) => ({ ...businessNumberQuery(id), staleTime: 60_000 })),
    combine: (results) => ringsFor(results.map(({ data }) => data).filter((one) => one !== undefined)),
  });
}

export function ringsFor(
  numbers: readonly Pick<
    BusinessNumber,
    'name' | 'incoming_call_config' | 'outside_business_hours_config' | 'no_answer_config'
  >[],
): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const number of numbers) {
    const configs = [number.incoming_call_config, number.outside_business_hours_config, number.no_answer_config];
    for (const id of new Set(configs.flatMap(employeesIn))) found.set(id, [...(found.get(id) ?? []), number.name]);
  }
  return found;
}

function employeesIn(config: CallFlowConfig | null): readonly string[] {
  if (config?.type === 'TransferConfig' || config?.type === 'WelcomeTransferConfig') return config.employee_ids;
  if (config?.type === 'AssistantConfig') return employeesIn(config.fallback);
  if (config?.type === 'PhoneMenuConfig')
    return config.menu_options.flatMap(({ employee_ids: ids, fallback = null }) => [...ids, ...employeesIn(fallback)]);
  return [];
}
