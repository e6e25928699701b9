import type { DashboardPlan } from './dashboard.ts';
import { failedShare, hourly, perHour, quantiles, rates, slowest } from './promql.ts';

const SESSIONS = 'parley_assistant_sessions_total';
const RESPONSES = 'parley_assistant_response_duration_seconds';
const MODEL_TURNS = 'parley_assistant_model_turns_total';
const RPCS = 'parley_rpc_duration_seconds';
const SPEECH = 'job="parley/speech"';

export const assistants: DashboardPlan = {
  name: 'assistants',
  title: 'assistants',
  rows: [
    {
      title: 'Sessions',
      panels: [
        {
          title: 'Sessions that ended, in an hour',
          help: 'None at a usual hour: no number has an assistant, or switches do not reach the processes of assistant.',
          unit: 'short',
          figure: true,
          queries: [{ expr: perHour(SESSIONS), legend: 'sessions' }],
        },
        {
          title: 'Ended with the fallback',
          help: 'Alert AssistantsGiveUp above 30 % for failed, speech_unavailable, not_understood and silence. By reason below.',
          unit: 'percentunit',
          figure: true,
          queries: [{ expr: failedShare(`${SESSIONS}{reason=""}`, SESSIONS), legend: 'fallback' }],
        },
        {
          title: 'Callers who are listened to',
          help: 'Open streams of recognition. Their number and the delays below say whether speech needs more replicas.',
          unit: 'short',
          figure: true,
          queries: [{ expr: 'sum(parley_speech_streams)', legend: 'callers' }],
        },
        {
          title: 'Turns of language models that failed',
          help: 'Alert AssistantModelsFailing above a half. The embedded engine answers instead; the page of the company’s model has the last error.',
          unit: 'percentunit',
          figure: true,
          queries: [{ expr: failedShare(`${MODEL_TURNS}{outcome="answered"}`, MODEL_TURNS), legend: 'failed' }],
        },
        {
          title: 'Sessions by outcome, in an hour',
          help: 'What became of the callers.',
          unit: 'short',
          stacked: true,
          queries: hourly(SESSIONS, 'outcome'),
        },
        {
          title: 'Sessions by reason of the fallback, in an hour',
          help: 'speech_unavailable: the delays and errors of speech below. not_understood: unanswered questions of the company. failed: the log of assistant. Without a name: no fallback.',
          unit: 'short',
          stacked: true,
          queries: hourly(SESSIONS, 'reason'),
        },
        {
          title: 'From the end of what a caller says to the answer (1 in 20)',
          help: 'Alert AssistantsSlow above 2 s. By engine: endpoint alone is the language model; both are recognition or synthesis below.',
          unit: 's',
          queries: slowest(0.95, RESPONSES, 'engine'),
        },
        {
          title: 'Turns of language models by outcome',
          help: 'failed: the endpoint answered too late, with an error, or with what is not allowed.',
          unit: 'ops',
          stacked: true,
          queries: rates(MODEL_TURNS, 'outcome'),
        },
      ],
    },
    {
      title: 'Speech',
      panels: [
        {
          title: 'From the end of an utterance to its text',
          help: 'The recogniser of calls. Growing with the callers: speech has too little CPU.',
          unit: 's',
          queries: quantiles('parley_speech_recognition_delay_seconds'),
        },
        {
          title: 'Time of a job by worker (1 in 20)',
          help: 'Recognition, synthesis and what is done after calls, without the time in the queue.',
          unit: 's',
          queries: slowest(0.95, 'parley_speech_job_duration_seconds', 'worker'),
        },
        {
          title: 'Requests of speech by status',
          help: 'RESOURCE_EXHAUSTED: its queue is full, it needs CPU or replicas. Others than OK: the log of speech has the reason.',
          unit: 'reqps',
          stacked: true,
          queries: rates(`${RPCS}_count{${SPEECH}}`, 'status'),
        },
        {
          title: 'Requests of speech per second',
          help: 'By method: Listen is one for each caller who is listened to, Synthesize one for each sentence that was not spoken before.',
          unit: 'reqps',
          queries: rates(`${RPCS}_count{${SPEECH}}`, 'method'),
        },
      ],
    },
  ],
};
