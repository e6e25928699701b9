import { endpoint, json } from '@parley/http';
import type { EmployeePrincipal } from '@parley/rpc';
import { z } from 'zod';
import type { Clients } from '../../peers/peers.ts';

const segmentSchema = z
  .object({
    speaker: z.string().describe('An employee’s name, or the remote phone number'),
    text: z.string(),
    employee_id: z.string().optional().describe('Absent for the remote side'),
    start_ms: z.int().describe('From the beginning of the recording, in milliseconds'),
    end_ms: z.int(),
  })
  .meta({ id: 'CallTranscriptSegment' });

export const getCallTranscript = ({ calls }: Clients) =>
  endpoint<EmployeePrincipal>()({
    role: 'member',
    method: 'get',
    path: '/calls/:id/transcript',
    tag: 'Calls',
    summary: 'Get the transcript of a call',
    description: 'The segments of the transcription with their times in the recording; null before it is transcribed.',
    responses: { 200: z.object({ segments: z.array(segmentSchema).nullable() }) },
    errors: [404],
    async handle({ params, context }) {
      const { call } = await calls.getCall({ id: params.id }, { as: context });
      const segments = call!.transcriptionSegments.map(({ speaker, text, employeeId, startMs, endMs }) => ({
        speaker,
        text,
        ...(employeeId !== undefined && { employee_id: employeeId }),
        start_ms: startMs,
        end_ms: endMs,
      }));
      return json(200, { segments: call!.hasTranscription ? segments : null });
    },
  });
