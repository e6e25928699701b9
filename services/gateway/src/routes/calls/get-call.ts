import { endpoint, json } from '@parley/http';
import type { EmployeePrincipal } from '@parley/rpc';
import { callJson, callSchema } from '@parley/public-json';
import type { Clients } from '../../peers/peers.ts';
import type { z } from 'zod';
import { reads } from '../shared/tool-annotations.ts';
import { transcriptOf, transcriptSchema, withShortTranscript } from './call-transcript.ts';

export const getCall = ({ calls }: Clients) =>
  endpoint<EmployeePrincipal>()({
    role: 'member',
    method: 'get',
    path: '/calls/:id',
    tag: 'Calls',
    summary: 'Get a call',
    responses: { 200: callSchema },
    errors: [404],
    tools: [
      {
        name: 'get_call',
        title: 'Get a call',
        description:
          'One call with its summary and participants. A long transcript is cut: use get_call_transcript for it.',
        annotations: reads,
        result: { schema: callSchema, of: (body) => withShortTranscript(body as z.output<typeof callSchema>) },
      },
      {
        name: 'get_call_transcript',
        title: 'Get the transcript of a call',
        description: 'The transcript of a call by speaker. Use it when the summary is not enough.',
        annotations: reads,
        list: 'segments',
        result: { schema: transcriptSchema, of: transcriptOf },
      },
    ],
    async handle({ params, context }) {
      const { call } = await calls.getCall({ id: params.id }, { as: context });
      return json(200, callJson(call!));
    },
  });
