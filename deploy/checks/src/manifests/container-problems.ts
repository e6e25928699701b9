import type { V1Container, V1Deployment, V1PodSpec } from '@kubernetes/client-node';
import { type Manifest, nameOf, ofKind } from './manifest.ts';

/** Requirements of a pod: not root, a read-only file system, limits and probes. */
export function containerProblems(objects: Manifest[]): string[] {
  return ofKind(objects, 'Deployment').flatMap((deployment) => {
    const pod = deployment.spec?.template.spec;
    if (!pod) return [`${nameOf(deployment)}: no pod`];
    const containers = [...pod.containers, ...(pod.initContainers ?? [])];
    return [...podRules(pod), ...containers.flatMap((container) => containerRules(container, pod))]
      .filter(([holds]) => !holds)
      .map(([, rule]) => `${nameOf(deployment)}: ${rule}`);
  });
}

type Rule = [holds: boolean, rule: string];

function podRules(pod: V1PodSpec): Rule[] {
  const security = pod.securityContext;
  return [
    [security?.runAsNonRoot === true, 'runs as non-root'],
    [(security?.runAsUser ?? 0) >= 10_000, 'has a numeric user above the system range'],
    [security?.seccompProfile?.type === 'RuntimeDefault', 'has the seccomp profile RuntimeDefault'],
    [pod.automountServiceAccountToken === false, 'has no token of the Kubernetes API'],
    [pod.enableServiceLinks === false, 'gets no variables from Services'],
    [!pod.hostNetwork && !pod.hostPID && !pod.hostIPC, 'shares nothing with its node'],
    [(pod.topologySpreadConstraints ?? []).length >= 2, 'is spread over zones and nodes'],
    [(pod.volumes ?? []).every((volume) => !volume.hostPath), 'mounts nothing of its node'],
  ];
}

function containerRules(container: V1Container, pod: V1PodSpec): Rule[] {
  const security = container.securityContext;
  const { requests, limits } = container.resources ?? {};
  const probes = [container.startupProbe, container.livenessProbe, container.readinessProbe];
  const ports = new Set(container.ports?.map((port) => port.name));
  return [
    [security?.readOnlyRootFilesystem === true, 'has a read-only root file system'],
    [security?.allowPrivilegeEscalation === false, 'cannot gain privileges'],
    [security?.capabilities?.drop?.includes('ALL') === true && !security.capabilities.add, 'has no capabilities'],
    [Boolean(requests?.cpu && requests.memory && limits?.memory), 'requests CPU and memory, and is limited in memory'],
    [probes.every((probe) => ports.has(String(probe?.httpGet?.port))), 'has three probes on a port it names'],
    [container.readinessProbe?.httpGet?.path === '/healthz/ready', 'has the readiness probe /healthz/ready'],
    [(pod.terminationGracePeriodSeconds ?? 0) >= 15, 'has 10 s to finish after five seconds of draining'],
    [
      /:[^:/]+$/.test(container.image ?? '') && !container.image?.endsWith(':latest'),
      'has an image with an immutable tag',
    ],
    [
      (container.volumeMounts ?? []).every((mount) => pod.volumes?.some((volume) => volume.name === mount.name)),
      'mounts only volumes it has',
    ],
  ];
}

/** The environment's names and values as far as the manifests contain them; the contents of a Secret are unknown. */
export function environmentNames(deployment: V1Deployment, objects: Manifest[]): string[] {
  const [container] = deployment.spec?.template.spec?.containers ?? [];
  const maps = (container?.envFrom ?? []).map((source) =>
    ofKind(objects, 'ConfigMap').find((map) => map.metadata?.name === source.configMapRef?.name),
  );
  return [
    ...(container?.env ?? []).map((variable) => variable.name),
    ...maps.flatMap((map) => Object.keys(map?.data ?? {})),
  ];
}
