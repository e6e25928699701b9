import { describe, expect, it } from '@jest/globals';
import type { RouteExplanation } from '../api/schema.d.ts';
import { german } from '../i18n/german.ts';
import { setCatalogue } from '../i18n/translate.ts';
import { flowTexts, reasonTexts } from './explanation-text.ts';

const employee = (name: string, reason: string | null = null, digit: string | null = null) => ({
  id: `emp_${name}`,
  name,
  digit,
  would_ring: reason === null,
  reason,
});

describe('a route explanation in words', () => {
  it('a route explanation in words names the slots as the page does', () => {
    const reasons = [
      'That is outside business hours, but outside_business_hours_config is not set, so incoming_call_config applies.',
    ];
    expect(reasonTexts({ reasons } as unknown as RouteExplanation)).toEqual([
      'That is outside business hours, but “Outside business hours” is not set, so “Incoming calls” applies.',
    ]);
  });

  it('a route explanation in words is in the language of the page; a sentence that is not known stays', () => {
    setCatalogue(german);
    const reasons = [
      'In Europe/Copenhagen it is Saturday 05:07; on Saturday the number is open from 09:00 to 17:30.',
      'If no employee answers within 30 seconds, no_answer_config applies.',
      'Something new.',
    ];
    const texts = reasonTexts({ reasons } as unknown as RouteExplanation);
    setCatalogue({});
    expect(texts[0]).toMatch(
      /^In Europe\/Copenhagen ist es \S+ 05:07; am \S+ ist die Nummer von 09:00 bis 17:30 geöffnet\.$/,
    );
    expect(texts.slice(1)).toEqual([
      'Wenn niemand innerhalb von 30 Sekunden annimmt, gilt „Keine Antwort“.',
      'Something new.',
    ]);
  });

  it('a route explanation in words translates what an assistant does, also after a key', () => {
    setCatalogue(german);
    const reasons = [
      'The assistant “Robin” answers, with the embedded engine.',
      'Key 2: Its fallback: the call is forwarded to +4520304050, which rings for 30 seconds.',
    ];
    const texts = reasonTexts({ reasons } as unknown as RouteExplanation);
    setCatalogue({});
    expect(texts).toEqual([
      'Der Assistent „Robin“ antwortet, mit der eingebauten Engine.',
      'Taste 2: Sonst wird der Anruf an +4520304050 weitergeleitet, dort klingelt es 30 Sekunden.',
    ]);
  });

  it('a route explanation in words says who would ring and why others would not', () => {
    const employees = [employee('Ada'), employee('Bo', 'do_not_disturb'), employee('Cy')];
    expect(flowTexts({ type: 'TransferConfig', employee_ids: [] }, employees)).toEqual([
      'Ada and Cy would ring. Not ringing: Bo (do not disturb is on).',
    ]);
    expect(flowTexts({ type: 'TransferConfig', employee_ids: [] }, [employee('Bo', 'logged_out')])).toEqual([
      'Nobody would ring as things are: the caller waits. Not ringing: Bo (no phone is online).',
    ]);
  });

  it('a route explanation in words describes each key of a menu', () => {
    const option = { id: 1, prompt: null, prompt_audio_url: null, employee_ids: [] };
    const texts = flowTexts(
      {
        type: 'PhoneMenuConfig',
        welcome: 'Welcome',
        welcome_audio_url: null,
        menu_options: [
          { ...option, digit: '1', action_type: 'TransferConfig' },
          { ...option, digit: '2', action_type: 'VoicemailConfig', prompt: 'Speak' },
          { ...option, digit: '3', action_type: 'PlayMessageConfig', prompt: 'Bye' },
          { ...option, digit: '4', action_type: 'WelcomeTransferConfig', prompt: 'One moment' },
          {
            ...option,
            digit: '5',
            action_type: 'AssistantConfig',
            assistant_id: 'ast_1',
            assistant: { id: 'ast_1', name: 'Robin' },
            fallback: { type: 'ForwardConfig', phone_number: '+4520304050', timeout_secs: 30, confirm: true },
          },
        ],
      },
      [employee('Ada', null, '1'), employee('Bo', null, '4')],
    );
    expect(texts).toEqual([
      'The caller hears “Welcome” and presses a key.',
      'Key 1: Ada would ring.',
      'Key 2: The caller hears “Speak” and can leave a voicemail.',
      'Key 3: The caller hears “Bye”, then the call ends.',
      'Key 4: The caller hears “One moment”. Bo would ring.',
      'Key 5: The assistant “Robin” answers. If it cannot help: +4520304050 would ring, outside the company.',
    ]);
  });
});
