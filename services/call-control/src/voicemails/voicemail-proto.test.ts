import { randomBytes } from 'node:crypto';
import { expect, it } from '@jest/globals';
import { decodeMessage } from '@parley/events';
import { encryptor } from '@parley/secrets';
import { inConversation } from '../../test/test-call.ts';
import { createVoicemail, transcribeVoicemail, type Voicemail } from './voicemail.ts';
import { encodeVoicemailEvent, voicemailTexts, voicemailToProto } from './voicemail-proto.ts';

const texts = voicemailTexts(encryptor(randomBytes(32).toString('base64')));
const { call } = inConversation();
const left = { voicemailId: 'vml_1', recording: 'rec_1' };

function created(): Voicemail {
  const decision = createVoicemail(call, left, new Date());
  if (!decision.ok) throw new Error('refused');
  return decision.state;
}

it('a transcription is encrypted in the voicemail, absent from its events, and shown', () => {
  const before = created();
  expect([texts.textOf(before), voicemailToProto(before).hasTranscription]).toEqual([null, false]);
  const decision = transcribeVoicemail(before, texts.seal(before.id, 'Call me back.'), call);
  if (!decision.ok) throw new Error('refused');
  const { state, events } = decision;
  expect(JSON.stringify(decision)).not.toContain('Call me');
  expect(texts.textOf(state)).toBe('Call me back.');
  const [event] = events.map(encodeVoicemailEvent);
  const { voicemail } = decodeMessage('call-control.voicemail.transcription_done', event!.data);
  expect(voicemail).toMatchObject({ id: 'vml_1', hasTranscription: true });
  expect(voicemail?.transcription).toBeUndefined();
  expect(transcribeVoicemail(state, texts.seal(state.id, 'Other words'), call)).toMatchObject({ state, events: [] });
});
