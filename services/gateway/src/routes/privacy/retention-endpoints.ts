import { endpoint, json } from '@parley/http';
import type { RetentionSettings } from '@parley/proto/directory/v1/retention_pb';
import type { EmployeePrincipal } from '@parley/rpc';
import { z } from 'zod';
import type { Clients } from '../../peers/peers.ts';

export const retentionEndpoints = (clients: Clients) => [getRetention(clients), replaceRetention(clients)];

const days = z.int().min(1).max(3650).nullable();

const retentionSchema = z
  .object({
    recordings_days: days.describe('Recordings of conversations'),
    voicemails_days: days.describe('Voicemails with their audio and transcription'),
    transcripts_days: days.describe('Transcripts and summaries of calls'),
    messages_days: days.describe('Texts'),
    calls_days: days.describe('Calls with their recordings, transcripts, notes and tags; a voicemail has its own time'),
  })
  .meta({ id: 'Retention' });

const getRetention = ({ retention }: Clients) =>
  endpoint<EmployeePrincipal>()({
    role: 'admin',
    route: 'GET /privacy/retention',
    sdkMethod: 'privacy.getRetention',
    summary: 'Read how long data is kept',
    description: 'In days; null means forever.',
    responses: { 200: retentionSchema },
    async handle({ context }) {
      const { settings } = await retention.getRetention({}, { as: context });
      return json(200, retentionJson(settings));
    },
  });

const replaceRetention = ({ retention }: Clients) =>
  endpoint<EmployeePrincipal>()({
    role: 'admin',
    route: 'PUT /privacy/retention',
    sdkMethod: 'privacy.setRetention',
    summary: 'Change how long data is kept',
    description:
      'Replaces all five settings. What is older is removed within a day, everywhere it is stored: also from the inbox, the search and the delivery log. Calls in progress and texts that are being sent stay until they have ended. Totals of reports stay.',
    body: retentionSchema,
    responses: { 200: retentionSchema },
    errors: [422],
    async handle({ body, context }) {
      const given = {
        recordingsDays: body.recordings_days ?? undefined,
        voicemailsDays: body.voicemails_days ?? undefined,
        transcriptsDays: body.transcripts_days ?? undefined,
        messagesDays: body.messages_days ?? undefined,
        callsDays: body.calls_days ?? undefined,
      };
      const { settings } = await retention.replaceRetention({ settings: given }, { as: context });
      return json(200, retentionJson(settings));
    },
  });

function retentionJson(settings: RetentionSettings | undefined): z.output<typeof retentionSchema> {
  return {
    recordings_days: settings?.recordingsDays ?? null,
    voicemails_days: settings?.voicemailsDays ?? null,
    transcripts_days: settings?.transcriptsDays ?? null,
    messages_days: settings?.messagesDays ?? null,
    calls_days: settings?.callsDays ?? null,
  };
}
