import { endpoint, json } from '@parley/http';
import type { EmployeePrincipal } from '@parley/rpc';
import { z } from 'zod';
import type { Clients } from '../../peers/peers.ts';
import { businessNumberJson, businessNumberSchema } from './business-number-json.ts';
import { clearableCallFlowBody, clearableCallFlowMessage } from './call-flow-body.ts';
import { callTargetProblems, callTargetsIn } from './call-targets.ts';
import { noAnswerTimeoutBody, noAnswerTimerMessage } from './no-answer-timeout-body.ts';

export const setNoAnswerConfig = (clients: Clients) =>
  endpoint<EmployeePrincipal>()({
    role: 'admin',
    method: 'put',
    path: '/business_numbers/:id/no_answer_config',
    tag: 'Business numbers',
    summary: 'Set the routing of unanswered calls',
    description:
      'A null type clears it. A flow without a timer is kept but does not run. `timeout_secs` of a ForwardConfig is also the timer, unless `no_answer_timeout_secs` is sent.',
    body: clearableCallFlowBody.and(
      z.object({
        timeout_secs: noAnswerTimeoutBody.optional(),
        no_answer_timeout_secs: noAnswerTimeoutBody.optional().describe('The timer, instead of `timeout_secs`'),
      }),
    ),
    responses: { 200: businessNumberSchema },
    errors: { 403: '`destination_not_allowed`', 404: 'not_found', 422: 'validation_failed' },
    beforeRefusing: ({ params, context, rejectedBody }) =>
      callTargetProblems(clients, params.id, callTargetsIn(rejectedBody), context),
    async handle({ params, body, context }) {
      const { timeout_secs: timeoutSecs, no_answer_timeout_secs: timerSecs = timeoutSecs } = body;
      const { view } = await clients.businessNumbers.setNoAnswerConfig(
        { id: params.id, config: clearableCallFlowMessage(body), timer: noAnswerTimerMessage(timerSecs) },
        { as: context },
      );
      return json(200, businessNumberJson(view));
    },
  });
