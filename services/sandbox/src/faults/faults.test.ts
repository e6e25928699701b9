import { describe, expect, it } from '@jest/globals';
import { createFaultSwitches, faultsInput } from './faults.ts';

const allWell = { smsSubmit: 'ok', smsRejectCode: null, switch: 'up', speech: 'ok', integrations: 'ok' };

describe('fault switches', () => {
  it('fault switches start with nothing broken', () => {
    expect(createFaultSwitches().current()).toEqual(allWell);
  });

  it.each([
    { change: { sms_submit: 'reject', code: '40310' }, after: { smsSubmit: 'reject', smsRejectCode: '40310' } },
    { change: { sms_submit: 'reject', code: 40310 }, after: { smsSubmit: 'reject', smsRejectCode: '40310' } },
    { change: { sms_submit: 'reject' }, after: { smsSubmit: 'reject', smsRejectCode: '40300' } },
    { change: { sms_submit: 'timeout', code: '40310' }, after: { smsSubmit: 'timeout' } },
    { change: { sms_submit: 'lost' }, after: { smsSubmit: 'lost' } },
    { change: { sms_submit: 'error' }, after: { smsSubmit: 'error' } },
    { change: { switch: 'down' }, after: { switch: 'down' } },
    { change: { speech: 'fail', integrations: 'slow' }, after: { speech: 'fail', integrations: 'slow' } },
    { change: { speech: 'slow' }, after: { speech: 'slow' } },
    { change: { integrations: 'fail' }, after: { integrations: 'fail' } },
    { change: {}, after: {} },
    { change: { code: '40310' }, after: {} },
  ])('the change $change breaks that and nothing else', ({ change, after }) => {
    expect(createFaultSwitches().change(faultsInput.parse(change))).toEqual({ ...allWell, ...after });
  });

  it('fault switches keep what a later change does not name, and all go back at once', () => {
    const faults = createFaultSwitches();
    faults.change({ switch: 'down', sms_submit: 'reject', code: '1' });
    faults.change({ speech: 'slow' });
    expect(faults.current()).toEqual({
      ...allWell,
      switch: 'down',
      smsSubmit: 'reject',
      smsRejectCode: '1',
      speech: 'slow',
    });
    faults.reset();
    expect(faults.current()).toEqual(allWell);
  });

  it.each([
    { sms_submit: 'broken' },
    { sms_submit: 'reject', code: '' },
    { sms_submit: 'reject', code: {} },
    { switch: 'ok' },
    { speech: 'up' },
    { integrations: null },
  ])('fault switches refuse %j', (change) => {
    expect(faultsInput.safeParse(change).success).toBe(false);
  });
});
