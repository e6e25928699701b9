import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
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
const { groups } = parse(read('deploy/observability/alerts.yaml')) as { groups: { name: string; rules: Rule[] }[] };
const rules = groups.flatMap((group) => group.rules);

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
  'parley_switch_events_unapplied_total',
  'parley_switch_reachable',
  'parley_timers_late',
  'parley_unusual_calls_total',
  'parley_webhook_attempts_total',
];
const metrics = [
  ...countersAndGauges,
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
    expect(new Set(rules.flatMap((rule) => metricsIn(rule.expr)))).toEqual(
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

describe('the collector', () => {
  it('the collector uses in its pipelines only what it defines, and defines nothing it does not use', () => {
    type Parts = Record<string, unknown>;
    const config = parse(read('deploy/observability/collector.yaml')) as {
      [kind: string]: Parts;
      service: { extensions: string[]; pipelines: Record<string, Record<string, string[]>> };
    };
    for (const kind of ['receivers', 'processors', 'exporters']) {
      const used = new Set(Object.values(config.service.pipelines).flatMap((pipeline) => pipeline[kind] ?? []));
      expect([kind, ...used].toSorted()).toEqual([kind, ...Object.keys(config[kind] ?? {})].toSorted());
    }
    expect(config.service.extensions).toEqual(Object.keys(config['extensions'] ?? {}));
  });
});
