import { type Manifest, nameOf, ofKind, podLabels, selects } from './manifest.ts';

/** The objects that every Deployment needs, and those that may expose it. */
export function missingObjectProblems(objects: Manifest[]): string[] {
  return [
    ...guardProblems(objects),
    ...serviceProblems(objects),
    ...ingressProblems(objects),
    ...duplicateProblems(objects),
  ];
}

function guardProblems(objects: Manifest[]): string[] {
  return ofKind(objects, 'Deployment').flatMap((deployment) => {
    const labels = podLabels(deployment);
    const budgets = ofKind(objects, 'PodDisruptionBudget').filter((budget) => selects(budget.spec?.selector, labels));
    const policies = ofKind(objects, 'NetworkPolicy').filter((policy) => selects(policy.spec?.podSelector, labels));
    const denies = policies.some(({ spec }) => !spec?.ingress && !spec?.egress && spec?.policyTypes?.length === 2);
    return [
      ...(selects(deployment.spec?.selector, labels) ? [] : [`${nameOf(deployment)}: does not select its own pods`]),
      ...(budgets.length === 1 ? [] : [`${nameOf(deployment)}: has ${budgets.length} disruption budgets`]),
      ...(denies && policies.length === 2
        ? []
        : [`${nameOf(deployment)}: does not have default-deny and exactly one own policy`]),
    ];
  });
}

function serviceProblems(objects: Manifest[]): string[] {
  return ofKind(objects, 'Service').flatMap((service) => {
    const workloads = [...ofKind(objects, 'Deployment'), ...ofKind(objects, 'StatefulSet')];
    const targets = workloads.filter((workload) =>
      selects({ matchLabels: service.spec?.selector ?? {} }, podLabels(workload)),
    );
    const named = targets
      .flatMap((workload) => workload.spec?.template.spec?.containers[0]?.ports ?? [])
      .map((port) => port.name);
    const lost = (service.spec?.ports ?? []).filter((port) => !named.includes(String(port.targetPort)));
    return [
      ...(targets.length === 1 ? [] : [`${nameOf(service)}: leads to ${targets.length} workloads`]),
      ...lost.map((port) => `${nameOf(service)}: port ${port.name} leads to no port of its pods`),
      ...(['ClusterIP', undefined].includes(service.spec?.type)
        ? []
        : [`${nameOf(service)}: is reachable from outside the cluster`]),
    ];
  });
}

function ingressProblems(objects: Manifest[]): string[] {
  return ofKind(objects, 'Ingress').flatMap((ingress) => {
    const rules = (ingress.spec?.rules ?? []).flatMap((rule) => rule.http?.paths ?? []);
    const backends = [ingress.spec?.defaultBackend, ...rules.map((rule) => rule.backend)].filter(
      (backend) => backend !== undefined,
    );
    return backends.flatMap((backend) => {
      const service = ofKind(objects, 'Service').find(({ metadata }) => metadata?.name === backend.service?.name);
      const wanted = backend.service?.port;
      const port = service?.spec?.ports?.find(
        ({ name, port: number }) => name === wanted?.name || number === wanted?.number,
      );
      if (!port) return [`${nameOf(ingress)}: leads to no port of Service ${backend.service?.name}`];
      return port.targetPort === 'public'
        ? []
        : [`${nameOf(ingress)}: exposes the port ${port.targetPort}, not only the public one`];
    });
  });
}

function duplicateProblems(objects: Manifest[]): string[] {
  const names = objects.map(nameOf);
  return names.filter((name, index) => names.indexOf(name) !== index).map((name) => `${name}: rendered twice`);
}
