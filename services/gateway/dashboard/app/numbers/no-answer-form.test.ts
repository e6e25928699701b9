import { describe, expect, it } from '@jest/globals';
import type { BusinessNumber } from '../api/schema.d.ts';
import { noAnswerBody, noAnswerForm } from './no-answer-form.ts';

const number = (part: Partial<BusinessNumber>) => part as BusinessNumber;

describe('the form of unanswered calls', () => {
  it('the form of unanswered calls keeps the flow and its timer', () => {
    const config = { type: 'VoicemailConfig', greeting: 'Hi', greeting_audio_url: null } as const;
    const form = noAnswerForm(number({ no_answer_config: config, no_answer_timeout_secs: 30 }));
    expect(noAnswerBody(form)).toEqual({ type: 'VoicemailConfig', greeting: 'Hi', timeout_secs: 30 });
  });

  it('the form of unanswered calls clears what is not set', () => {
    const form = noAnswerForm(number({ no_answer_config: null, no_answer_timeout_secs: null }));
    expect(noAnswerBody(form)).toEqual({ type: null, timeout_secs: null });
  });
});
