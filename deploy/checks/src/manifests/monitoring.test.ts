import { observabilityFiles } from '@parley/observability';
import { describe, expect } from '@jest/globals';
import { parse } from 'yaml';
import { type Manifest, ofKind } from './manifest.ts';
import { chart, helm, itWithHelm, render, reportSkippedChecks, root, valuesOf } from './rendered-chart.ts';
import { readServiceFacts } from './service-facts.ts';

reportSkippedChecks('what the chart renders for Prometheus and Grafana');

const CASE = 'monitoring.yaml';
const specOf = (objects: Manifest[], kind: string) => objects.find((object) => object.kind === kind)?.spec as any;

describe('monitoring', () => {
  itWithHelm('monitoring lets Prometheus read every pod, under the job that a collector would name', async () => {
    const objects = await render(CASE);
    const services = Object.keys(readServiceFacts(root)).filter((name) => name !== 'sandbox');
    const pages = ofKind(objects, 'Service').filter(({ metadata }) => metadata?.name?.endsWith('-metrics'));
    expect(pages.map(({ metadata }) => metadata?.labels?.['app.kubernetes.io/component']).toSorted()).toEqual(
      services.toSorted(),
    );
    const { selector, endpoints } = specOf(objects, 'ServiceMonitor');
    for (const { metadata } of pages) expect(metadata?.labels).toMatchObject(selector.matchLabels);
    const [{ port, interval, relabelings }] = endpoints;
    expect([port, interval]).toEqual(['metrics', '30s']);
    expect(relabelings).toEqual([
      {
        sourceLabels: ['__meta_kubernetes_service_label_app_kubernetes_io_component'],
        targetLabel: 'job',
        replacement: 'parley/$1',
      },
    ]);
    for (const deployment of ofKind(objects, 'Deployment')) {
      const [container] = deployment.spec?.template.spec?.containers ?? [];
      expect(container?.ports).toContainEqual({ name: 'metrics', containerPort: 9464 });
      const config = ofKind(objects, 'ConfigMap').find(({ metadata }) => metadata?.name === deployment.metadata?.name);
      expect(config?.data?.METRICS_LISTEN).toBe('0.0.0.0:9464');
    }
  });

  itWithHelm('monitoring opens the port for metrics to the given peers only', async () => {
    const objects = await render(CASE);
    const rules = ofKind(objects, 'NetworkPolicy')
      .flatMap(({ spec }) => spec?.ingress ?? [])
      .filter(({ ports }) => ports?.some(({ port }) => port === 9464));
    expect(rules).toHaveLength(ofKind(objects, 'Deployment').length);
    for (const rule of rules)
      expect((rule as { from?: unknown }).from).toEqual([
        { namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'monitoring' } } },
      ]);
  });

  itWithHelm('monitoring is not rendered without peers that may read metrics', async () => {
    const given = ['--set', 'monitoring.serviceMonitor.enabled=true'];
    const answer = await helm('template', 'parley', chart, ...valuesOf('defaults.yaml'), ...given);
    expect(answer).toMatchObject({ ok: false, stderr: expect.stringContaining('needs networkPolicy.metricsFrom') });
  });

  itWithHelm('monitoring brings all alerts and objectives, and every dashboard as it is', async () => {
    const objects = await render(CASE);
    const files = Object.entries(await observabilityFiles());
    const rules = files.filter(([file]) => file.includes('/rules/')).flatMap(([, text]) => parse(text).groups);
    expect(specOf(objects, 'PrometheusRule').groups).toEqual(rules);
    const maps = ofKind(objects, 'ConfigMap').filter(({ metadata }) => metadata?.labels?.['grafana_dashboard'] === '1');
    expect(Object.assign({}, ...maps.map(({ data }) => data))).toEqual(
      Object.fromEntries(
        files.filter(([file]) => file.endsWith('.json')).map(([file, text]) => [file.split('/').at(-1), text]),
      ),
    );
  });

  itWithHelm('monitoring is off by default', async () => {
    const objects = await render('defaults.yaml');
    expect(objects.filter(({ apiVersion }) => apiVersion.startsWith('monitoring.coreos.com'))).toEqual([]);
    expect(JSON.stringify(objects)).not.toContain('9464');
  });
});
