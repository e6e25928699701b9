import type { Mutation } from './mutation.ts';
import { changeBody, changeSent, withoutField } from './ways.ts';

const INCOMING = { method: 'PUT', path: '/api/v1/business_numbers/:id/incoming_call_config' };
const OUTSIDE = { method: 'PUT', path: '/api/v1/business_numbers/:id/outside_business_hours_config' };
const NO_ANSWER = { method: 'PUT', path: '/api/v1/business_numbers/:id/no_answer_config' };
const GET = { method: 'GET', path: '/api/v1/business_numbers/:id' };
const FLOWS = { areas: ['call-flows'], profile: 'full' } as const;

const TIMEOUTS = [15, 30, 60, 300, 600, 1200, 1800, 2700, 3600];
const ofOptions = (change: (option: any, index: number) => unknown) => (options: unknown) =>
  Array.isArray(options) ? options.map(change) : options;

export const callFlowMutations: readonly Mutation[] = [
  {
    id: 'call-flows-key-zero-accepted',
    sentence: 'A menu may have the key 0.',
    ...FLOWS,
    where: INCOMING,
    request: changeSent(
      'menu_options',
      ofOptions((one) => (one?.digit === '0' ? { ...one, digit: '5' } : one)),
    ),
  },
  {
    id: 'call-flows-key-twice-accepted',
    sentence: 'A menu may have the same key twice.',
    ...FLOWS,
    where: INCOMING,
    request: changeSent('menu_options', (options) =>
      Array.isArray(options) && options.length > 1
        ? options.filter((one, index) => options.findIndex(({ digit }) => digit === one.digit) === index)
        : options,
    ),
  },
  {
    id: 'call-flows-timeout-rounded',
    sentence: 'A time until the no-answer flow that is not allowed is rounded to the next one.',
    ...FLOWS,
    where: NO_ANSWER,
    request: changeSent('timeout_secs', (seconds) =>
      typeof seconds === 'number' && seconds > 0 ? (TIMEOUTS.find((one) => one >= seconds) ?? 3600) : seconds,
    ),
  },
  {
    id: 'call-flows-null-ignored',
    sentence: 'The type null clears no flow outside business hours.',
    ...FLOWS,
    where: OUTSIDE,
    request: changeSent('type', (type) => type ?? 'RejectConfig'),
    answer: (answer) => (answer.status === 422 ? { ...answer, status: 200 } : answer),
  },
  {
    id: 'call-flows-without-audio',
    sentence: 'Flows never get the address of their audio.',
    ...FLOWS,
    where: GET,
    answer: withoutField('welcome_audio_url'),
  },
  {
    id: 'call-flows-option-without-employees',
    sentence: 'An option that transfers to nobody has no `employee_ids`.',
    ...FLOWS,
    where: GET,
    answer: changeBody((body) => {
      const flow = body.incoming_call_config;
      const options = flow?.menu_options?.map(({ employee_ids: ids, ...one }: any) =>
        ids.length === 0 ? one : { ...one, employee_ids: ids },
      );
      return options ? { ...body, incoming_call_config: { ...flow, menu_options: options } } : body;
    }),
  },
];
