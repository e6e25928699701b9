import { V1ConfigMap } from '@kubernetes/client-node/dist/gen/models/V1ConfigMap.js';
import { V1DaemonSet } from '@kubernetes/client-node/dist/gen/models/V1DaemonSet.js';
import { V1Deployment } from '@kubernetes/client-node/dist/gen/models/V1Deployment.js';
import { V1Ingress } from '@kubernetes/client-node/dist/gen/models/V1Ingress.js';
import { V1NetworkPolicy } from '@kubernetes/client-node/dist/gen/models/V1NetworkPolicy.js';
import { V1Job } from '@kubernetes/client-node/dist/gen/models/V1Job.js';
import { V1Pod } from '@kubernetes/client-node/dist/gen/models/V1Pod.js';
import { V1PodDisruptionBudget } from '@kubernetes/client-node/dist/gen/models/V1PodDisruptionBudget.js';
import { V1Secret } from '@kubernetes/client-node/dist/gen/models/V1Secret.js';
import { V1Service } from '@kubernetes/client-node/dist/gen/models/V1Service.js';
import { V1StatefulSet } from '@kubernetes/client-node/dist/gen/models/V1StatefulSet.js';
import { V1ServiceAccount } from '@kubernetes/client-node/dist/gen/models/V1ServiceAccount.js';
import { V2HorizontalPodAutoscaler } from '@kubernetes/client-node/dist/gen/models/V2HorizontalPodAutoscaler.js';
import {
  ExternalSecret,
  type IExternalSecret,
} from '@kubernetes-models/external-secrets/external-secrets.io/v1/ExternalSecret';
import { HTTPRoute, type IHTTPRoute } from '@kubernetes-models/gateway-api/gateway.networking.k8s.io/v1/HTTPRoute';
import { type IScaledObject, ScaledObject } from '@kubernetes-models/keda/keda.sh/v1alpha1/ScaledObject';
import {
  type IPrometheusRule,
  PrometheusRule,
} from '@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1/PrometheusRule';
import {
  type IServiceMonitor,
  ServiceMonitor,
} from '@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1/ServiceMonitor';
import { DaemonSet } from 'kubernetes-models/apps/v1/DaemonSet';
import { Deployment } from 'kubernetes-models/apps/v1/Deployment';
import { StatefulSet } from 'kubernetes-models/apps/v1/StatefulSet';
import {
  HorizontalPodAutoscaler,
  type IHorizontalPodAutoscaler,
} from 'kubernetes-models/autoscaling/v2/HorizontalPodAutoscaler';
import { Job } from 'kubernetes-models/batch/v1/Job';
import { Ingress } from 'kubernetes-models/networking.k8s.io/v1/Ingress';
import { NetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1/NetworkPolicy';
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1/PodDisruptionBudget';
import { ConfigMap } from 'kubernetes-models/v1/ConfigMap';
import { Pod } from 'kubernetes-models/v1/Pod';
import { Secret } from 'kubernetes-models/v1/Secret';
import { Service } from 'kubernetes-models/v1/Service';
import { ServiceAccount } from 'kubernetes-models/v1/ServiceAccount';

/** A class of @kubernetes/client-node: the fields an object may have, and the names of their types. */
export interface FieldMap {
  attributeTypeMap: { baseName: string; type: string; format: string }[];
}

/**
 * Two checks of a kind: its fields (none unknown, each of its type), and its schema (none missing, each well formed).
 */
export interface KubernetesModel {
  /** Unknown for custom resources: their tests compare whole objects with typed ones. */
  fields?: FieldMap;
  /** Throws what is wrong with an object of the kind. */
  validate(object: object): void;
}

/** The models of what our chart renders, by apiVersion and kind; from Kubernetes 1.36 and the newest add-ons. */
export const kubernetesModels: Record<string, KubernetesModel> = {
  'apps/v1 DaemonSet': { fields: V1DaemonSet, validate: (object) => new DaemonSet(object).validate() },
  'apps/v1 Deployment': { fields: V1Deployment, validate: (object) => new Deployment(object).validate() },
  'apps/v1 StatefulSet': { fields: V1StatefulSet, validate: (object) => new StatefulSet(object).validate() },
  'autoscaling/v2 HorizontalPodAutoscaler': {
    fields: V2HorizontalPodAutoscaler,
    validate: (object) => new HorizontalPodAutoscaler(object as IHorizontalPodAutoscaler).validate(),
  },
  'batch/v1 Job': { fields: V1Job, validate: (object) => new Job(object).validate() },
  'external-secrets.io/v1 ExternalSecret': {
    validate: (object) => new ExternalSecret(object as IExternalSecret).validate(),
  },
  'gateway.networking.k8s.io/v1 HTTPRoute': { validate: (object) => new HTTPRoute(object as IHTTPRoute).validate() },
  'keda.sh/v1alpha1 ScaledObject': { validate: (object) => new ScaledObject(object as IScaledObject).validate() },
  'monitoring.coreos.com/v1 PrometheusRule': {
    validate: (object) => new PrometheusRule(object as IPrometheusRule).validate(),
  },
  'monitoring.coreos.com/v1 ServiceMonitor': {
    validate: (object) => new ServiceMonitor(object as IServiceMonitor).validate(),
  },
  'networking.k8s.io/v1 Ingress': { fields: V1Ingress, validate: (object) => new Ingress(object).validate() },
  'networking.k8s.io/v1 NetworkPolicy': {
    fields: V1NetworkPolicy,
    validate: (object) => new NetworkPolicy(object).validate(),
  },
  'policy/v1 PodDisruptionBudget': {
    fields: V1PodDisruptionBudget,
    validate: (object) => new PodDisruptionBudget(object).validate(),
  },
  'v1 ConfigMap': { fields: V1ConfigMap, validate: (object) => new ConfigMap(object).validate() },
  'v1 Pod': { fields: V1Pod, validate: (object) => new Pod(object).validate() },
  'v1 Secret': { fields: V1Secret, validate: (object) => new Secret(object).validate() },
  'v1 Service': { fields: V1Service, validate: (object) => new Service(object).validate() },
  'v1 ServiceAccount': { fields: V1ServiceAccount, validate: (object) => new ServiceAccount(object).validate() },
};

/** The class behind a type's name, such as V1PodSpec; loaded when first needed, for there are hundreds. */
export async function fieldMapOf(type: string): Promise<FieldMap | undefined> {
  if (!/^[VCE]\w+$/.test(type)) return undefined;
  const models = (await import(`@kubernetes/client-node/dist/gen/models/${type}.js`)) as Record<string, FieldMap>;
  return models[type];
}
