import { expect, it } from '@jest/globals';
import { recordFileDownload } from './export-store.ts';

it('the download of a file is an entry with its filters, without phone numbers and texts', () => {
  const filter = {
    from: '2030-01-01',
    business_number_id: 'num_1',
    timezone: 'Europe/Copenhagen',
    phone_number: '+4520304050',
    tag: 'vip',
    employee_id: '+4520304050',
  };
  const file = { type: 'calls.exported', name: 'calls.csv', filter } as const;
  const decision = recordFileDownload({ id: 'fil_1', companyId: 'com_1' }, file, new Date());
  expect(decision).toMatchObject({
    events: [
      {
        audit: {
          type: 'calls.exported',
          object: { type: 'file', id: 'fil_1', name: 'calls.csv' },
          changes: {
            from: { from: null, to: '2030-01-01' },
            business_number_id: { from: null, to: 'num_1' },
            timezone: { from: null, to: 'Europe/Copenhagen' },
            phone_number: { from: null, to: '(set)' },
            tag: { from: null, to: '(set)' },
            employee_id: { from: null, to: '(set)' },
          },
        },
      },
    ],
  });
});
