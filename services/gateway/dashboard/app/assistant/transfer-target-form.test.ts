import { describe, expect, it } from '@jest/globals';
import { newTarget, targetBody, targetForms } from './transfer-target-form.ts';

const team = { id: 'tgt_1', name: 'Sales', aliases: ['Orders', 'Shop'], employee_ids: ['emp_1'], phone_number: null };
const phone = { id: 'tgt_2', name: 'Workshop', aliases: [], employee_ids: [], phone_number: '+4520304050' };

describe('the form of a transfer target', () => {
  it('the form of a transfer target keeps everything of a saved one', () => {
    expect(targetForms({ transfer_targets: [team, phone] }).map(targetBody)).toEqual([
      { name: 'Sales', aliases: ['Orders', 'Shop'], employee_ids: ['emp_1'] },
      { name: 'Workshop', aliases: [], phone_number: '+4520304050' },
    ]);
  });

  it('the form of a transfer target sends either employees or a phone, whatever was typed before', () => {
    const [form] = targetForms({ transfer_targets: [team] });
    expect(targetBody({ ...form!, rings: 'phone', phone: '20304050' })).toEqual({
      name: 'Sales',
      aliases: ['Orders', 'Shop'],
      phone_number: '20304050',
    });
    expect(targetBody(newTarget('a'))).toEqual({ name: '', aliases: [], employee_ids: [] });
  });
});
