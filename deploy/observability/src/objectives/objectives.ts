/** Something that is promised to customers, and how it is measured. */
export interface Objective {
  /** The value of the label `objective`. */
  readonly name: 'api' | 'call_setup' | 'webhook' | 'text' | 'live_update';
  /** The first part of the names of its alerts. */
  readonly alert: string;
  readonly promise: string;
  /** The share of events that keep the promise, over 28 days. */
  readonly target: number;
  /** Series of counters whose sums are the events that keep it, and all events. */
  readonly good: string;
  readonly all: string;
}

const HTTP = 'parley_http_request_duration_seconds';

/** Not requests that are as slow as what they carry or wait for: files, audio, language models, the provider of texts (see `text`). */
const TIMED = 'route!~".*(recording|voicemails|voice_previews|csv|imports|test|messages|retries|mcp|unknown).*"';

/** The bounds are buckets of the histograms. */
export const objectives: readonly Objective[] = [
  {
    name: 'api',
    alert: 'Api',
    promise: 'A request is answered within one second and not with a 5xx',
    target: 0.999,
    good: `${HTTP}_bucket{le="1",status!~"5..",${TIMED}}`,
    all: `${HTTP}_count{${TIMED}}`,
  },
  {
    name: 'call_setup',
    alert: 'CallSetup',
    promise: 'A call that arrives at the switch is taken or rejected within one second',
    target: 0.999,
    good: 'parley_call_setup_duration_seconds_bucket{le="1",outcome!="failed"}',
    all: 'parley_call_setup_duration_seconds_count',
  },
  {
    name: 'webhook',
    alert: 'Webhook',
    promise: 'The first attempt of a webhook starts within ten seconds of the event',
    target: 0.99,
    good: 'parley_webhook_first_attempt_delay_seconds_bucket{le="10"}',
    all: 'parley_webhook_first_attempt_delay_seconds_count',
  },
  {
    name: 'text',
    alert: 'Text',
    promise: 'The provider has accepted or refused a text within five seconds',
    target: 0.99,
    good: 'parley_text_acceptance_delay_seconds_bucket{le="5",outcome=~"accepted|refused"}',
    all: 'parley_text_acceptance_delay_seconds_count',
  },
  {
    name: 'live_update',
    alert: 'LiveUpdate',
    promise: 'Open dashboards are told of a change within two and a half seconds',
    target: 0.99,
    good: 'parley_live_update_delay_seconds_bucket{le="2.5"}',
    all: 'parley_live_update_delay_seconds_count',
  },
];
