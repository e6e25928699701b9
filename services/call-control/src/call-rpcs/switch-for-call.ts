import type { EmployeePresence } from '../presence/presence.ts';
import type { Switch } from '../switch/connection/switch-client.ts';

type Candidate = Pick<Switch, 'name' | 'isReachable' | 'isDraining' | 'trunkAddress'>;

/** The switch for a requested call: one at which a phone of the employee is registered, or one that reaches it there. */
export function switchForCall<Some extends Candidate>(
  all: readonly Some[],
  { leases }: Pick<EmployeePresence, 'leases'>,
): Some | 'unreachable' | undefined {
  const names = new Set(leases.flatMap(({ contact }) => contact?.switchName ?? []));
  if (names.size === 0) return undefined;
  const registered = all.filter(({ name }) => names.has(name));
  const hasTrunk = registered.some(({ isReachable, trunkAddress }) => isReachable && trunkAddress !== undefined);
  const others = hasTrunk ? all.filter(({ trunkAddress }) => trunkAddress !== undefined) : [];
  return [...registered, ...others].find(({ isReachable, isDraining }) => isReachable && !isDraining) ?? 'unreachable';
}
