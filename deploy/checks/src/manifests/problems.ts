import { missingObjectProblems } from './missing-object-problems.ts';
import { containerProblems } from './container-problems.ts';
import { flowProblems } from './flow-problems.ts';
import type { Manifest } from './manifest.ts';
import { modelProblems } from './model-problems.ts';
import { referenceProblems } from './reference-problems.ts';
import type { ServiceFacts } from './service-facts.ts';

/** Everything that is wrong with a rendered chart, by Kubernetes' rules and by our own; empty is good. */
export async function problemsOf(
  objects: Manifest[],
  facts: Record<string, ServiceFacts>,
  isOutside: (secret: string) => boolean,
): Promise<string[]> {
  const byModel = await Promise.all(objects.map(modelProblems));
  return [
    ...byModel.flat(),
    ...containerProblems(objects),
    ...referenceProblems(objects, isOutside),
    ...missingObjectProblems(objects),
    ...flowProblems(objects, facts),
  ];
}
