import type { Mutation } from './mutation.ts';
import { acceptedInstead, changeField, changeSent } from './ways.ts';

const CREATE = { method: 'POST', path: '/api/v1/business_numbers/:id/voice_previews' };
const OF_AREA = { areas: ['voice-previews'], profile: 'full' } as const;

export const voicePreviewMutations: readonly Mutation[] = [
  {
    id: 'voice-previews-unknown-kind-accepted',
    sentence: 'A voice preview of an unknown kind is made as a prompt.',
    ...OF_AREA,
    where: CREATE,
    request: changeSent('kind', (kind) => (kind === 'music' ? 'prompt' : kind)),
  },
  {
    id: 'voice-previews-general-code',
    sentence: 'The refusal of a blank text has the code of all refusals.',
    ...OF_AREA,
    where: CREATE,
    answer: (answer) => {
      const { code } = answer.body as { code?: string };
      return code === 'blank_text'
        ? { ...answer, body: { ...(answer.body as object), code: 'validation_failed' } }
        : answer;
    },
  },
  {
    id: 'voice-previews-unlimited',
    sentence: 'A company has any number of voice previews.',
    ...OF_AREA,
    where: CREATE,
    answer: acceptedInstead(429, 201, () => ({ audio_url: '', signed_id: '', expires_at: '' })),
  },
  {
    id: 'voice-previews-ended',
    sentence: 'A voice preview has ended when it is answered.',
    ...OF_AREA,
    where: CREATE,
    answer: changeField('expires_at', () => '2020-01-01T00:00:00.000Z'),
  },
];
