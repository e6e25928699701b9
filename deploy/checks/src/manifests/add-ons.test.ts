import type { IExternalSecret } from '@kubernetes-models/external-secrets/external-secrets.io/v1/ExternalSecret';
import type { IHTTPRoute } from '@kubernetes-models/gateway-api/gateway.networking.k8s.io/v1/HTTPRoute';
import type { IScaledObject } from '@kubernetes-models/keda/keda.sh/v1alpha1/ScaledObject';
import type { V1Job } from '@kubernetes/client-node';
import { natsPermissions, natsServices } from '@parley/events';
import { describe, expect } from '@jest/globals';
import { type Manifest, ofKind } from './manifest.ts';
import { itWithHelm, render, reportSkippedChecks } from './rendered-chart.ts';

reportSkippedChecks('what the chart renders for other operators of the cluster');

const namesOf = (objects: Manifest[], kind: string) =>
  objects.filter((object) => object.kind === kind).map(({ metadata }) => metadata.name);
const find = (objects: Manifest[], kind: string, name: string) =>
  objects.find((object) => object.kind === kind && object.metadata.name === name);

/** The part of an object that is not the same for all. */
const specOf = (objects: Manifest[], kind: string, name: string) => find(objects, kind, name)?.['spec'];

describe('scaling', () => {
  const followers = natsServices.filter((service) =>
    natsPermissions(service).subscribe.some((subject) => subject.includes('.signals.followers.')),
  );

  itWithHelm('scaling is done by KEDA for services that follow events, and by the chart for the others', async () => {
    const objects = await render('add-ons.yaml');
    const scaled = namesOf(objects, 'ScaledObject').map((name) => name.replace('parley-', ''));
    const byChart = namesOf(objects, 'HorizontalPodAutoscaler').map((name) => name.replace('parley-', ''));
    expect(scaled.toSorted()).toEqual(followers.filter((service) => service !== 'reports').toSorted());
    expect(byChart.toSorted()).toEqual(['gateway', 'numbers-routing', 'speech']);
  });

  itWithHelm('scaling is done by the chart alone without KEDA', async () => {
    const objects = await render('add-ons.yaml', '--set', 'defaults.autoscaling.lag.enabled=false');
    expect(namesOf(objects, 'ScaledObject')).toEqual([]);
    expect(namesOf(objects, 'HorizontalPodAutoscaler')).toHaveLength(9);
  });

  itWithHelm('scaling adds a replica for each so many events that the slowest follower has not read', async () => {
    const expected: IScaledObject['spec'] = {
      scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'parley-webhooks' },
      pollingInterval: 15,
      minReplicaCount: 2,
      maxReplicaCount: 8,
      advanced: {
        horizontalPodAutoscalerConfig: {
          name: 'parley-webhooks',
          behavior: {
            scaleDown: {
              stabilizationWindowSeconds: 300,
              policies: [{ type: 'Pods', value: 1, periodSeconds: 60 }],
            },
          },
        },
      },
      triggers: [
        { type: 'cpu', metricType: 'Utilization', metadata: { value: '70' } },
        {
          type: 'prometheus',
          name: 'lag',
          metricType: 'AverageValue',
          metadata: {
            serverAddress: 'http://prometheus.monitoring:9090',
            query: 'max(parley_follower_pending{job="parley/webhooks"})',
            threshold: '2000',
          },
          authenticationRef: { name: 'prometheus', kind: 'ClusterTriggerAuthentication' },
        },
      ],
    };
    expect(specOf(await render('add-ons.yaml'), 'ScaledObject', 'parley-webhooks')).toEqual(expected);
  });
});

describe('the route of the Gateway API', () => {
  itWithHelm(
    'the route of the Gateway API leads to the public port only, and leaves the live channel open',
    async () => {
      const objects = await render('add-ons.yaml');
      const backendRefs = [{ name: 'parley-gateway', port: 80 }];
      const expected: IHTTPRoute['spec'] = {
        parentRefs: [{ name: 'public', namespace: 'gateways', sectionName: 'https' }],
        hostnames: ['phone.example.com'],
        rules: [
          { matches: [{ path: { type: 'PathPrefix', value: '/cable' } }], timeouts: { request: '0s' }, backendRefs },
          { matches: [{ path: { type: 'PathPrefix', value: '/' } }], timeouts: { request: '300s' }, backendRefs },
        ],
      };
      expect(specOf(objects, 'HTTPRoute', 'parley-gateway')).toEqual(expected);
      const service = ofKind(objects, 'Service').find(({ metadata }) => metadata?.name === 'parley-gateway');
      expect(service?.spec?.ports).toEqual([expect.objectContaining({ port: 80, targetPort: 'public' })]);
    },
  );
});

describe('an ExternalSecret', () => {
  itWithHelm('an ExternalSecret makes the Secret of each service that has none of its own', async () => {
    const objects = await render('add-ons.yaml');
    const expected: IExternalSecret['spec'] = {
      refreshInterval: '1h',
      secretStoreRef: { kind: 'ClusterSecretStore', name: 'vault' },
      target: { name: 'parley-identity-external', creationPolicy: 'Owner', deletionPolicy: 'Retain' },
      dataFrom: [{ extract: { key: 'production/parley/identity' } }],
    };
    expect(specOf(objects, 'ExternalSecret', 'parley-identity-external')).toEqual(expected);
    const used = ofKind(objects, 'Deployment').map(({ spec }) => {
      const [container] = spec?.template.spec?.containers ?? [];
      return container?.env?.find(({ name }) => name === 'SIGNING_KEY')?.valueFrom?.secretKeyRef?.name;
    });
    expect(used.toSorted()).toEqual(['own-reports', ...namesOf(objects, 'ExternalSecret')].toSorted());
    expect(ofKind(objects, 'Secret').filter(({ data }) => data?.['SIGNING_KEY'])).toEqual([]);
  });
});

describe('the spreading of pods', () => {
  itWithHelm(
    'the spreading of pods over zones and nodes is that of the values, among pods of one service',
    async () => {
      const directory = ofKind(await render('add-ons.yaml'), 'Deployment').find(
        ({ metadata }) => metadata?.name === 'parley-directory',
      );
      const own = {
        labelSelector: { matchLabels: directory?.spec?.selector.matchLabels },
        matchLabelKeys: ['pod-template-hash'],
      };
      const [zone, node] = ['topology.kubernetes.io/zone', 'kubernetes.io/hostname'];
      expect(directory?.spec?.template.spec?.topologySpreadConstraints).toEqual([
        { maxSkew: 1, topologyKey: zone, whenUnsatisfiable: 'DoNotSchedule', nodeTaintsPolicy: 'Honor', ...own },
        { maxSkew: 2, topologyKey: node, whenUnsatisfiable: 'ScheduleAnyway', ...own },
      ]);
    },
  );
});

describe('the jobs that build indexes', () => {
  const jobsOf = (objects: Manifest[]) => objects.filter(({ kind }) => kind === 'Job') as unknown as V1Job[];

  itWithHelm(
    'the jobs that build indexes run for each database before an upgrade, and with what they need',
    async () => {
      const objects = await render('add-ons.yaml');
      const jobs = jobsOf(objects);
      const databases = jobs.map(({ spec }) => {
        const [container] = spec?.template.spec?.containers ?? [];
        return container?.env?.find(({ name }) => name === 'MONGODB_DATABASE')?.value;
      });
      const served = ofKind(objects, 'ConfigMap').flatMap(({ data }) => data?.['MONGODB_DATABASE'] ?? []);
      expect(databases.toSorted()).toEqual(served.toSorted());
      const hooks = objects.filter(({ metadata }) => metadata.name.includes('index'));
      expect(hooks).toHaveLength(jobs.length + 2);
      for (const { metadata } of hooks as V1Job[]) expect(metadata?.annotations?.['helm.sh/hook']).toBe('pre-upgrade');
      const weightOf = (kind: string) =>
        Number((hooks as V1Job[]).find((hook) => hook.kind === kind)?.metadata?.annotations?.['helm.sh/hook-weight']);
      expect(weightOf('ServiceAccount')).toBeLessThan(weightOf('Job'));
      expect(weightOf('NetworkPolicy')).toBeLessThan(weightOf('Job'));
    },
  );

  itWithHelm('the jobs that build indexes have the restrictions of the services', async () => {
    for (const { spec } of jobsOf(await render('add-ons.yaml'))) {
      expect(spec?.activeDeadlineSeconds).toBe(21600);
      expect(spec?.template.spec?.securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 10001 });
      expect(spec?.template.spec?.containers[0]?.securityContext).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      });
    }
  });

  itWithHelm('the jobs that build indexes are there only on request', async () => {
    expect(jobsOf(await render('defaults.yaml'))).toEqual([]);
  });
});
