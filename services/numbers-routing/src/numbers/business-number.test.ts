import { decided } from '@parley/errors';
import { describe, expect, it } from '@jest/globals';
import { testNumber } from '../../test/test-number.ts';
import { promptKey } from '../prompt-audio/prompt.ts';
import { type NumberChange, updateBusinessNumber, updateByOperator } from './business-number.ts';

const now = new Date('2026-02-01T12:00:00Z');

const update = (change: NumberChange) => updateBusinessNumber(testNumber(), change, now);

function fieldsOf(change: NumberChange): string[] {
  const decision = update(change);
  return decision.ok ? [] : Object.keys(decision.refusal.fields ?? {});
}

describe('a new number', () => {
  it('a new number is open from Monday to Friday, takes messages otherwise, and rings', () => {
    expect(testNumber()).toMatchObject({
      active: true,
      waitAudio: 'ringtone',
      noAnswerConfig: null,
      noAnswerTimeoutSecs: null,
      textingSettings: null,
      outsideBusinessHoursConfig: { type: 'VoicemailConfig', greeting: expect.stringContaining('after the tone') },
    });
    expect(testNumber().businessHours.map(({ open, openingAt, closingAt }) => [open, openingAt, closingAt])).toEqual([
      ...Array.from({ length: 5 }, () => [true, '09:00', '17:00']),
      ...Array.from({ length: 2 }, () => [false, '09:00', '17:00']),
    ]);
  });
});

describe('an update of a number', () => {
  it.each(['Support', 'A', '0', 'Team 1 - North_West~!.+', 'x'.repeat(128)])(
    'an update of a number takes the name %j',
    (name) => {
      expect(update({ name })).toMatchObject({ ok: true, state: { name } });
    },
  );

  it.each(['', ' ', 'Kundeservice Århus', 'a@b', 'a\nb', 'a,b', 'naïve', '日本', 'x'.repeat(129)])(
    'an update of a number refuses the name %j',
    (name) => {
      expect(fieldsOf({ name })).toEqual(['name']);
    },
  );

  it.each([
    ['Europe/Copenhagen', 'Europe/Copenhagen'],
    ['America/Argentina/Buenos_Aires', 'America/Argentina/Buenos_Aires'],
    ['Asia/Kolkata', 'Asia/Kolkata'],
    ['America/Port-au-Prince', 'America/Port-au-Prince'],
    ['europe/berlin', 'Europe/Berlin'],
    ['UTC', 'UTC'],
  ])('an update of a number takes the time zone %s', (written, timezone) => {
    expect(update({ timezone: written })).toMatchObject({ ok: true, state: { timezone } });
  });

  it.each(['', 'Copenhagen', 'Europe', 'Europe/Nowhere', '+01:00', 'CET', 'GMT+1', 'Europe/Copenhagen ', '../etc'])(
    'an update of a number refuses the time zone %j',
    (timezone) => {
      expect(fieldsOf({ timezone })).toEqual(['timezone']);
    },
  );

  it.each([
    ['da', 'da'],
    ['EN', 'en'],
    ['en-gb', 'en-GB'],
    ['zh-Hant-TW', 'zh-Hant-TW'],
  ])('an update of a number takes the language %s', (written, language) => {
    expect(update({ language: written })).toMatchObject({ ok: true, state: { language } });
  });

  it.each(['', 'e', 'english', 'en_US', 'en-', '12', 'da; drop', 'xx', 'zzz', 'en-XX'])(
    'an update of a number refuses the language %j',
    (language) => {
      expect(fieldsOf({ language })).toEqual(['language']);
    },
  );

  it('an update of a number names every wrong field', () => {
    expect(fieldsOf({ name: '', timezone: 'x', language: '' })).toEqual(['name', 'timezone', 'language']);
  });

  it('an update of a number is one event with the whole number, and none when nothing changes', () => {
    const decision = update({ recordingEnabled: false, waitAudio: 'music' });
    expect(decision).toMatchObject({
      ok: true,
      state: { recordingEnabled: false, waitAudio: 'music', updatedAt: now },
      events: [{ type: 'numbers-routing.number.updated', number: { recordingEnabled: false } }],
    });
    expect(update({ name: 'Support', recordingEnabled: true })).toEqual(decided(testNumber()));
  });

  it('an update of a number has other prompts when the language changes, and the same when it does not', () => {
    const greeting = testNumber().outsideBusinessHoursConfig;
    const text = greeting?.type === 'VoicemailConfig' ? greeting.greeting : '';
    expect(update({ language: 'da' })).toMatchObject({
      state: { promptKeys: [promptKey({ text, language: 'da', voice: '' })] },
    });
    expect(update({ name: 'Other' })).toMatchObject({ state: { promptKeys: testNumber().promptKeys } });
  });
});

describe('the operator', () => {
  it('the operator switches a number off and on', () => {
    expect(updateByOperator(testNumber(), { active: false }, now)).toMatchObject({
      ok: true,
      state: { active: false },
      events: [{ type: 'numbers-routing.number.updated' }],
    });
  });

  it('the operator changes one half of the SMS capability without the other', () => {
    expect(updateByOperator(testNumber(), { smsCanSend: false }, now)).toMatchObject({
      state: { sms: { canSend: false, canReceive: true } },
    });
  });
});
