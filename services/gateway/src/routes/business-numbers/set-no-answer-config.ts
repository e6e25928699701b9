import { endpoint, json } from '@parley/http';
import type { EmployeePrincipal } from '@parley/rpc';
import { z } from 'zod';
import type { Clients } from '../../peers/peers.ts';
import { businessNumberJson, businessNumberSchema } from './business-number-json.ts';
import { clearableCallFlowBody, clearableCallFlowMessage } from './call-flow-body.ts';
import { callTargetProblems, callTargetsIn } from './call-targets.ts';
import { noAnswerTimeoutBody, noAnswerTimeoutError, noAnswerTimerMessage } from './no-answer-timeout-body.ts';

const timeoutText =
  'The timer: 0, null or blank disables it; if omitted, it is not changed. Of a ForwardConfig how long it rings';

const isTimer = (value: unknown) => noAnswerTimeoutBody.optional().safeParse(value).success;

export const setNoAnswerConfig = (clients: Clients) =>
  endpoint<EmployeePrincipal>()({
    role: 'admin',
    method: 'put',
    path: '/business_numbers/:id/no_answer_config',
    tag: 'Business numbers',
    summary: 'Set the routing of unanswered calls',
    description:
      'A null type clears it. A flow without a timer is kept but does not run. `timeout_secs` of a ForwardConfig is how long it rings, and also the timer where it is one of its values and `no_answer_timeout_secs` is not sent.',
    body: clearableCallFlowBody
      .and(
        z.object({
          timeout_secs: z
            .unknown()
            .optional()
            .meta({ type: ['integer', 'string', 'null'], description: timeoutText }),
          no_answer_timeout_secs: noAnswerTimeoutBody.optional().describe('The timer, instead of `timeout_secs`'),
        }),
      )
      .refine(({ type, timeout_secs: given }) => type === 'ForwardConfig' || isTimer(given), {
        path: ['timeout_secs'],
        error: noAnswerTimeoutError,
        when: ({ value }) => typeof value === 'object' && value !== null,
      }),
    responses: { 200: businessNumberSchema },
    errors: { 403: '`destination_not_allowed`', 404: 'not_found', 422: 'validation_failed' },
    beforeRefusing: ({ params, context, rejectedBody }) =>
      callTargetProblems(clients, params.id, callTargetsIn(rejectedBody), context),
    async handle({ params, body, context }) {
      const timeoutSecs = noAnswerTimeoutBody.safeParse(body.timeout_secs).data;
      const { no_answer_timeout_secs: timerSecs = timeoutSecs } = body;
      const { view } = await clients.businessNumbers.setNoAnswerConfig(
        { id: params.id, config: clearableCallFlowMessage(body), timer: noAnswerTimerMessage(timerSecs) },
        { as: context },
      );
      return json(200, businessNumberJson(view));
    },
  });
