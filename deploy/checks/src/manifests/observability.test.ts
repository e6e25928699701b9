import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { observabilityFiles } from '@parley/observability';
import { parser } from '@prometheus-io/lezer-promql';
import { parse } from 'yaml';

const root = fileURLToPath(new URL('../../../../', import.meta.url));
const read = (file: string) => readFileSync(path.join(root, file), 'utf8');

interface Rule {
  alert: string;
  expr: string;
  labels: { severity: string };
  annotations: { summary: string; description: string };
}
interface Recording {
  record: string;
  expr: string;
}
const rulesIn = (text: string) =>
  (parse(text) as { groups: { rules: (Rule | Recording)[] }[] }).groups.flatMap((group) => group.rules);
const isAlert = (rule: Rule | Recording): rule is Rule => 'alert' in rule;
const files = await observabilityFiles();
const objectives = rulesIn(files['helm/parley/files/rules/objectives.yaml'] ?? '');
const recordings = objectives.filter((rule): rule is Recording => !isAlert(rule));
/** Written by hand. */
const written = rulesIn(read('deploy/observability/alerts.yaml')).filter(isAlert);
const rules = [...written, ...objectives.filter(isAlert)];

/** The metrics of our services; a histogram is three series in Prometheus. */
const countersAndGauges = [
  'parley_assistant_model_turns_total',
  'parley_assistant_sessions_total',
  'parley_calls_refused_total',
  'parley_commands_pending',
  'parley_dead_letters_total',
  'parley_events_postponed_total',
  'parley_follower_behind',
  'parley_follower_pending',
  'parley_outbox_pending',
  'parley_phones_refused_total',
  'parley_stream_usage_ratio',
  'parley_switch_draining',
  'parley_switch_events_unapplied_total',
  'parley_switch_reachable',
  'parley_timers_late',
  'parley_unusual_calls_total',
  'parley_webhook_attempts_total',
];
const metrics = [
  ...countersAndGauges,
  ...recordings.map(({ record }) => record),
  ...['bucket', 'count', 'sum'].map((part) => `parley_assistant_response_duration_seconds_${part}`),
  ...['bucket', 'count', 'sum'].map((part) => `parley_http_request_duration_seconds_${part}`),
  ...['bucket', 'count', 'sum'].map((part) => `parley_rpc_duration_seconds_${part}`),
  ...['bucket', 'count', 'sum'].map((part) => `parley_switch_event_duration_seconds_${part}`),
];

/** Names of the metrics in an expression; throws where it is not PromQL. */
function metricsIn(expression: string): string[] {
  const names: string[] = [];
  parser.parse(expression).iterate({
    enter: (node) => {
      const text = expression.slice(node.from, node.to);
      if (node.type.isError) throw new Error(`not PromQL at ${node.from}: ${expression}`);
      if (node.name === 'Identifier' && node.node.parent?.name === 'VectorSelector') names.push(text);
    },
  });
  return names;
}

describe('the alerts', () => {
  it.each(rules.map((rule) => [rule.alert, rule] as const))(
    'the expression of the alert %s is PromQL over metrics that exist',
    (_, rule) => {
      const names = metricsIn(rule.expr);
      expect(names.length).toBeGreaterThan(0);
      expect(names.filter((name) => !metrics.includes(name))).toEqual([]);
    },
  );

  it('an alert with an expression that is no PromQL would not pass', () => {
    expect(() => metricsIn('sum by (job (parley_outbox_pending) > 1')).toThrow('not PromQL');
  });

  it('the alerts have a severity and an entry in docs/operations.md', () => {
    const page = read('docs/operations.md');
    expect(rules.filter((rule) => !['page', 'ticket'].includes(rule.labels.severity))).toEqual([]);
    expect(rules.map((rule) => rule.alert).filter((alert) => !page.includes(`**${alert}**`))).toEqual([]);
  });

  it('the alerts cover failing receivers, assistants, the outbox, commands, timers, dead letters and followers that lag', () => {
    expect(new Set(written.flatMap((rule) => metricsIn(rule.expr)))).toEqual(
      new Set([
        ...countersAndGauges,
        'parley_assistant_response_duration_seconds_bucket',
        'parley_http_request_duration_seconds_count',
        'parley_http_request_duration_seconds_bucket',
        'parley_rpc_duration_seconds_bucket',
        'parley_switch_event_duration_seconds_bucket',
      ]),
    );
  });
});

describe('the objectives', () => {
  const histograms = ['parley_http_request', 'parley_call_setup'].map((name) => `${name}_duration_seconds`);
  const delays = ['webhook_first_attempt', 'text_acceptance', 'live_update'].map(
    (name) => `parley_${name}_delay_seconds`,
  );
  const known = [...histograms, ...delays].flatMap((name) => [`${name}_bucket`, `${name}_count`]);

  it('the objectives are five, each with ratios over all windows and an alert of each speed', () => {
    expect(recordings).toHaveLength(5 * 12);
    expect(rules.length - written.length).toBe(10);
    const used = recordings.flatMap(({ expr }) => metricsIn(expr));
    expect(used.filter((name) => !known.includes(name))).toEqual([]);
    expect(known.filter((name) => !used.includes(name))).toEqual([]);
  });

  it('the objectives are limits of buckets that histograms in seconds have', () => {
    const providers = read('libs/telemetry/src/providers.ts');
    const [, boundaries = ''] = /boundaries: \[([^\]]+)\]/.exec(providers) ?? [];
    const limits = recordings.flatMap(({ expr }) => [...expr.matchAll(/le="([^"]+)"/g)].map(([, limit]) => limit));
    expect(limits.length).toBeGreaterThan(0);
    expect(limits.filter((limit) => !boundaries.split(', ').includes(limit!))).toEqual([]);
  });
});

describe('the dashboards and rules', () => {
  it.each(Object.entries(files))('the dashboards and rules in %s are those of the code', (file, expected) => {
    expect(read(file)).toBe(expected);
  });

  it('the dashboards and rules are the only files of their folders', () => {
    const found = ['dashboards', 'rules'].flatMap((folder) =>
      readdirSync(path.join(root, 'helm/parley/files', folder)).map((name) => `helm/parley/files/${folder}/${name}`),
    );
    expect(found.toSorted()).toEqual(Object.keys(files).toSorted());
  });

  it('the dashboards query only with PromQL', () => {
    const expressions = Object.entries(files)
      .filter(([file]) => file.endsWith('.json'))
      .flatMap(([, text]) => [...text.matchAll(/"expr": (".+"),?$/gm)].map(([, expr]) => JSON.parse(expr!) as string));
    expect(expressions.length).toBeGreaterThan(50);
    for (const expr of expressions) metricsIn(expr.replaceAll('$__rate_interval', '5m'));
  });
});

describe('the collector', () => {
  it('the collector uses in its pipelines only what it defines, and defines nothing it does not use', () => {
    type Parts = Record<string, unknown>;
    const config = parse(read('deploy/observability/collector.yaml')) as {
      [kind: string]: Parts;
      service: { extensions: string[]; pipelines: Record<string, Record<string, string[]>> };
    };
    const connectors = Object.keys(config['connectors'] ?? {});
    for (const kind of ['receivers', 'processors', 'exporters']) {
      const used = new Set(Object.values(config.service.pipelines).flatMap((pipeline) => pipeline[kind] ?? []));
      // A connector is the exporter of one pipeline and the receiver of another one.
      const defined = [...Object.keys(config[kind] ?? {}), ...(kind === 'processors' ? [] : connectors)];
      expect([kind, ...used].toSorted()).toEqual([kind, ...defined].toSorted());
    }
    expect(config.service.extensions).toEqual(Object.keys(config['extensions'] ?? {}));
  });
});
