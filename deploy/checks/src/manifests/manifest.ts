import type {
  V1ConfigMap,
  V1Deployment,
  V1Ingress,
  V1NetworkPolicy,
  V1PodDisruptionBudget,
  V1Secret,
  V1Service,
  V1ServiceAccount,
  V1DaemonSet,
  V1StatefulSet,
  V2HorizontalPodAutoscaler,
} from '@kubernetes/client-node';
import { parseAllDocuments } from 'yaml';

interface ManifestByKind {
  ConfigMap: V1ConfigMap;
  Deployment: V1Deployment;
  HorizontalPodAutoscaler: V2HorizontalPodAutoscaler;
  Ingress: V1Ingress;
  NetworkPolicy: V1NetworkPolicy;
  PodDisruptionBudget: V1PodDisruptionBudget;
  Secret: V1Secret;
  Service: V1Service;
  ServiceAccount: V1ServiceAccount;
  DaemonSet: V1DaemonSet;
  StatefulSet: V1StatefulSet;
}

/** A Kubernetes object of a manifest. */
export interface Manifest {
  apiVersion: string;
  kind: string;
  metadata: { name: string };
  [field: string]: unknown;
}

export type Labels = { [name: string]: string };

/** Every object of a rendered chart. */
export function parseManifests(text: string): Manifest[] {
  return parseAllDocuments(text).flatMap((document) => {
    if (document.errors[0]) throw document.errors[0];
    const object = document.toJS() as Manifest | null;
    return object ? [object] : [];
  });
}

/** The objects of one kind. */
export function ofKind<Kind extends keyof ManifestByKind>(objects: Manifest[], kind: Kind): ManifestByKind[Kind][] {
  return objects.filter((object) => object.kind === kind) as unknown as ManifestByKind[Kind][];
}

/** Name of an object in messages: `Deployment parley-gateway`. */
export function nameOf(object: { kind?: string; metadata?: { name?: string } }): string {
  return `${object.kind} ${object.metadata?.name}`;
}

/** An empty selector selects every pod. */
export function selects(selector: { matchLabels?: Labels } | undefined, labels: Labels | undefined): boolean {
  return Object.entries(selector?.matchLabels ?? {}).every(([name, value]) => labels?.[name] === value);
}

export function podLabels(workload: V1Deployment | V1StatefulSet): Labels {
  return workload.spec?.template.metadata?.labels ?? {};
}
