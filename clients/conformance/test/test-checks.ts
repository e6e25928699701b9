import { type Area, type Check, checksOf } from '../src/checks/check.ts';
import { Connections } from '../src/http/network.ts';
import type { CheckResult } from '../src/runner/result.ts';
import type { Target } from '../src/target.ts';
import { CompanyStore } from '../src/world/company-store.ts';
import type { World } from '../src/world/context.ts';

/** A check that does what a test says. */
export function testCheck(area: Area, number: number, run: Check['run'], details: Partial<Check> = {}): Check {
  const { must } = checksOf(area);
  const sentence = `A rule of ${area} holds.`;
  return { ...must(number, sentence, { source: 'service-api.md: Contacts', profile: 'api' }, run), ...details };
}

export function testWorld(target: Target, details: Partial<World> = {}): World {
  const connections = new Connections();
  return { target, connections, companies: new CompanyStore(target, connections), ...details };
}

export function testResult(check: Check, details: Partial<CheckResult> = {}): CheckResult {
  return { check, outcome: 'held', isUnknown: false, durationMs: 12, made: [], ...details };
}
